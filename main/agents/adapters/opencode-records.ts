import { z } from "zod";
import type { ParsePurpose, TranscriptParser, TranscriptSink } from "./adapter.ts";
import { agentEvent, EpochMs, toolInput } from "./event-parts.ts";

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
    else if (this.#purpose === "events") this.#error(row, subagent, sink);
    else this.#message(row, subagent, sink);
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

  #error({ id, time, error }: Row, subagent: boolean, sink: TranscriptSink): void {
    if (error === undefined) return;
    const at = iso(time?.completed ?? time?.created ?? 0);
    const type = error.name === ABORTED ? "interrupted" : "error";
    sink.event(agentEvent(id, type, at, error.data?.message ?? error.name, subagent ? { subagent: true } : {}));
  }

  #part({ id, role, at: created = 0, part }: Row, subagent: boolean, sink: TranscriptSink): void {
    const at = iso(created);
    const extra = subagent ? { subagent: true } : {};
    const { text = "", callID = "", tool = "", state } = part ?? {};
    switch (part?.type) {
      case "text": {
        if (text === "" || part.synthetic === true) return;
        const prompt = subagent ? "subagent_prompt" : "user_message";
        sink.event(agentEvent(id, role === "user" ? prompt : "assistant_message", at, text, extra));
        return;
      }
      case "reasoning":
        sink.event(agentEvent(id, "thinking", at, text, extra));
        return;
      case "compaction":
        sink.event(agentEvent(id, "compacted", at, "", extra));
        return;
      case "tool": {
        const input = toolInput(state?.input);
        sink.event(agentEvent(id, "tool_call", at, tool, { id: callID, name: tool, input, ...extra }));
        if (state?.status !== "completed" && state?.status !== "error") return;
        const isError = state.status === "error";
        const told = (isError ? state.error : state.output) ?? "";
        sink.event(
          agentEvent(`${id}:r`, "tool_result", iso(state.time?.end ?? created), told, {
            id: callID,
            isError,
            ...(isError ? told.startsWith(REFUSED) && { refused: true } : { refused: false }),
            ...extra,
          }),
        );
      }
    }
  }
}

const ABORTED = "MessageAbortedError";

/** Whether a provider of opencode is one of the price list, and its ids are those of the list. */
function isMaker(provider: string | undefined): provider is string {
  return provider === "anthropic" || provider === "openai" || provider === "google";
}

function iso(milliseconds: number): string {
  return new Date(EpochMs.safeParse(milliseconds).data ?? 0).toISOString();
}

const count = z.number().min(0);
const Part = z.object({
  type: z.string(),
  text: z.string().optional(),
  synthetic: z.boolean().optional(),
  callID: z.string().optional(),
  tool: z.string().optional(),
  state: z
    .object({
      status: z.string(),
      input: z.unknown().optional(),
      output: z.string().optional(),
      error: z.string().optional(),
      time: z.object({ end: z.number().optional() }).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});
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
