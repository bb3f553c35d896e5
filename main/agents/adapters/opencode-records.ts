import { z } from "zod";
import type {
  EventDetails,
  ParsePurpose,
  TranscriptEvent,
  TranscriptNote,
  TranscriptParser,
  TranscriptSink,
} from "./adapter.ts";
import { agentEvent, EpochMs, linkedImage, tell, toolInput } from "./event-parts.ts";

/** The error of a call that the user refused. */
const REFUSED = "The user rejected permission to use this specific tool call";

/**
 * Rows of opencode's database: messages, which hold the tokens of one API call each, and for the events their parts. A row
 * that has changed comes again.
 */
export class OpencodeParser implements TranscriptParser {
  readonly #purpose: ParsePurpose;
  /** The creation of the newest message: an older one that has changed says nothing of now. */
  #newest = 0;
  /** By the id of a prompt, the lines that its turn has changed. */
  readonly #changed = new Map<string, { readonly added: number; readonly removed: number }>();
  #linesAdded = 0;
  #linesRemoved = 0;

  constructor(purpose: ParsePurpose) {
    this.#purpose = purpose;
  }

  matters(): "yes" {
    return "yes";
  }

  record(value: unknown, subagent: boolean, sink: TranscriptSink): void {
    const { data: row } = Row.safeParse(value);
    if (row === undefined) sink.skip("not a row of this agent");
    else if (row.kind === "session") sink.reported(row.cost ?? 0);
    else if (row.kind === "part") this.#part(row, subagent, sink);
    else if (row.kind === "facts") this.#learn(row, sink);
    else {
      if (this.#purpose === "events") this.#error(row, subagent, sink);
      this.#message(row, subagent, sink);
    }
  }

  #message(
    { id, role, time, tokens, modelID, providerID, cost, error, finish }: Row,
    subagent: boolean,
    sink: TranscriptSink,
  ) {
    const created = time?.created ?? 0;
    const at = iso(time?.completed ?? created);
    if (role === "assistant" && tokens !== undefined) {
      const { input, output, reasoning, cache } = tokens;
      const spent = { input, cacheWrite: cache.write, cacheWrite1h: 0, cached: cache.read, output: output + reasoning };
      if (input + output + reasoning + cache.read + cache.write > 0)
        sink.call({
          id,
          model: modelID ?? "unknown",
          at,
          subagent,
          tokens: spent,
          ...(providerID !== undefined && { usedProvider: providerID }),
          ...(isMaker(providerID) && { provider: providerID }),
          ...(cost !== undefined && { ownCost: cost }),
        });
    }
    if (subagent || created < this.#newest) return;
    this.#newest = created;
    if (role === "user") sink.status("working", at, "prompt sent");
    else if (error?.name === ABORTED) sink.status("idle", at, "interrupted");
    else if (error !== undefined) sink.status("error", at, error.data?.message ?? error.name);
    else if (time?.completed === undefined || finish === "tool-calls")
      sink.status("working", at, "an answer is written");
    else sink.status("idle", at, "answer ended");
  }

  #learn({ id, mode, added, removed }: Row, sink: TranscriptSink): void {
    if (mode != null) sink.facts({ mode });
    if (added == null || removed == null) return;
    const before = this.#changed.get(id) ?? { added: 0, removed: 0 };
    this.#changed.set(id, { added, removed });
    this.#linesAdded += added - before.added;
    this.#linesRemoved += removed - before.removed;
    sink.facts({ linesAdded: this.#linesAdded, linesRemoved: this.#linesRemoved });
  }

  #error({ id, session, time, error }: Row, subagent: boolean, sink: TranscriptSink): void {
    if (error === undefined) return;
    const at = iso(time?.completed ?? time?.created ?? 0);
    const type = error.name === ABORTED ? "interrupted" : "error";
    const text = error.data?.message ?? error.name;
    const data = subagent ? { subagent: true } : {};
    sink.event(agentEvent(id, type, at, text, data, { subagent: subagent ? session : undefined }));
  }

  #part(row: Row, subagent: boolean, sink: TranscriptSink): void {
    const { id, session, message, model, role, part } = row;
    const at = iso(row.at ?? 0);
    const extra = subagent ? { subagent: true } : {};
    const of = { subagent: subagent ? session : undefined };
    const details = role === "user" ? of : { ...of, answer: message, model };
    const emit = (type: (TranscriptEvent | TranscriptNote)["type"], text: string, more: EventDetails = of) =>
      tell(sink, agentEvent(id, type, at, text, extra, more));
    switch (part?.type) {
      case "text": {
        if (part.text === undefined || part.text === "") return;
        const prompt = subagent ? "subagent_prompt" : "user_message";
        const said = role === "user" ? prompt : "assistant_message";
        emit(part.synthetic === true ? "note" : said, part.text, details);
        return;
      }
      case "file":
        emit("note", isImage(part) ? "" : (part.filename ?? ""), { ...of, ...attached(part) });
        return;
      case "reasoning":
        emit("thinking", part.text ?? "", details);
        return;
      case "compaction":
        emit("compacted", "");
        return;
      case "left-out": {
        const incomplete = `A part of ${part.length ?? 0} bytes is left out: parts of more than 1 MB are not read.`;
        emit("note", "", { ...of, incomplete });
        return;
      }
      case "tool":
        this.#tool(row, part, { extra, of, details }, sink);
    }
  }

  #tool(row: Row, { callID = "", tool = "", state }: Part, { extra, of, details }: PartDetails, sink: TranscriptSink) {
    const { id, at = 0 } = row;
    const data = { id: callID, name: tool, input: toolInput(state?.input), ...extra };
    sink.event(agentEvent(id, "tool_call", iso(at), tool, data, details));
    if (state?.status !== "completed" && state?.status !== "error") return;
    const exitCode = state.metadata?.exit;
    const failed = state.status === "error";
    const told = (failed ? state.error : state.output) ?? "";
    const { start, end } = state.time ?? {};
    const result = {
      id: callID,
      isError: failed || (exitCode ?? 0) !== 0,
      ...(failed ? told.startsWith(REFUSED) && { refused: true } : { refused: false }),
      ...extra,
    };
    const images = (state.attachments ?? []).flatMap((one) => attached(one).images ?? []);
    const more = {
      ...of,
      ...(exitCode != null && { exitCode }),
      ...(start !== undefined && end !== undefined && end >= start && { durationMs: end - start }),
      ...(images.length > 0 && { images }),
    };
    sink.event(agentEvent(`${id}:r`, "tool_result", iso(end ?? at), told, result, more));
  }
}

interface PartDetails {
  readonly extra: { readonly subagent?: boolean };
  /** Of everything in the session, and of what the model says in it. */
  readonly of: EventDetails;
  readonly details: EventDetails;
}

type Attachment = Pick<Part, "mime" | "url" | "filename">;

function isImage({ mime }: Attachment): boolean {
  return mime?.startsWith("image/") === true;
}

function attached(file: Attachment): EventDetails {
  if (!isImage(file)) return {};
  const image = { ...linkedImage(file.url ?? file.filename ?? ""), mediaType: file.mime ?? "" };
  return { images: [image], kind: "prompt", role: "user" };
}

const ABORTED = "MessageAbortedError";

/** Whether an agent's name of a provider is that of the price list, and the ids of its models are those of the list. */
export function isMaker(provider: string | undefined): provider is string {
  return provider === "anthropic" || provider === "openai" || provider === "google";
}

function iso(milliseconds: number): string {
  return new Date(EpochMs.safeParse(milliseconds).data ?? 0).toISOString();
}

const count = z.number().min(0);
const Part = z.object({
  type: z.string(),
  text: z.string().optional(),
  /** Of `file`. */
  mime: z.string().max(200).optional().catch(undefined),
  filename: z.string().max(4096).optional().catch(undefined),
  url: z.string().optional().catch(undefined),
  /** Of `left-out`: its size in the database. */
  length: z.number().optional(),
  synthetic: z.boolean().optional(),
  callID: z.string().optional(),
  tool: z.string().optional(),
  state: z
    .object({
      status: z.string(),
      input: z.unknown().optional(),
      output: z.string().optional(),
      error: z.string().optional(),
      time: z
        .object({ start: z.number().optional().catch(undefined), end: z.number().optional() })
        .optional()
        .catch(undefined),
      metadata: z
        .object({ exit: z.int().nullish().catch(undefined) })
        .optional()
        .catch(undefined),
      attachments: z
        .array(z.object({ mime: z.string(), url: z.string() }))
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
});
type Part = z.infer<typeof Part>;
const lines = z.int().min(0).max(1_000_000_000).nullish().catch(undefined);
const Row = z.object({
  kind: z.string(),
  id: z.string(),
  /** Of `facts`. */
  mode: z.string().max(200).nullish().catch(undefined),
  added: lines,
  removed: lines,
  role: z.string().optional(),
  cost: z
    .number()
    .nullish()
    .transform((value) => value ?? undefined),
  at: z.number().optional(),
  /** Of `part`: the ids of its session and message, and the model of that. */
  session: z.string().optional(),
  message: z.string().optional(),
  model: z
    .string()
    .nullish()
    .transform((value) => value ?? undefined),
  part: Part.optional(),
  time: z.object({ created: z.number(), completed: z.number().optional() }).optional(),
  modelID: z.string().optional(),
  providerID: z.string().optional(),
  finish: z.string().optional(),
  tokens: z
    .object({
      input: count,
      output: count,
      reasoning: count,
      cache: z.object({ read: count, write: count }),
    })
    .optional(),
  error: z
    .object({ name: z.string(), data: z.object({ message: z.string().optional() }).optional().catch(undefined) })
    .optional(),
});
type Row = z.infer<typeof Row>;
