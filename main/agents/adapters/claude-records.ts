import { z } from "zod";
import type { CallTokens, EventDetails, ParsePurpose, TranscriptParser, TranscriptSink } from "./adapter.ts";
import { fileText, imagesIn, isCall, isResult, noteIn, servedText, shellCommand } from "./claude-notes.ts";
import { agentEvent, TranscriptClock, textOf, toolInput } from "./event-parts.ts";

/**
 * Claude Code's records. One API answer is several lines (one per content block) with the same message id and the same
 * usage; the accounts keep the one with the most output. Forks copy their parent's lines with the ids unchanged.
 */
export class ClaudeParser implements TranscriptParser {
  readonly #session: string;
  readonly #purpose: ParsePurpose;
  readonly #clock = new TranscriptClock();
  /** The turn's last word is an error, which the record of its duration does not take back. */
  #failed = false;
  readonly #lastAnswer = Buffer.alloc(ID_BYTES + OUTPUT_BYTES);

  constructor(session: string, purpose: ParsePurpose) {
    this.#session = session;
    this.#purpose = purpose;
  }

  matters(bytes: Buffer, start: number, end: number): "no" | "status" | "yes" {
    const what = lineKind(bytes, start, end);
    if (this.#purpose === "events") return what === "no" ? "no" : "yes";
    if (what === "told") return "no";
    return what === "answer" ? this.#answerMatters(bytes, start, end) : what;
  }

  /** The further lines of one answer, with the same id and the same output, add nothing to the accounts. */
  #answerMatters(bytes: Buffer, start: number, end: number): "status" | "yes" {
    const id = bytes.indexOf('"id":"', start, "latin1");
    const output = bytes.indexOf('"output_tokens":', id, "latin1");
    if (id === -1 || output === -1 || output + 30 > end) return "yes";
    const last = this.#lastAnswer;
    if (
      last.compare(bytes, id, id + ID_BYTES, 0, ID_BYTES) === 0 &&
      last.compare(bytes, output, output + OUTPUT_BYTES, ID_BYTES) === 0
    )
      return "status";
    bytes.copy(last, 0, id, id + ID_BYTES);
    bytes.copy(last, ID_BYTES, output, output + OUTPUT_BYTES);
    return "yes";
  }

  record(value: unknown, subagent: boolean, sink: TranscriptSink): void {
    const parsed = Line.safeParse(value);
    if (!parsed.success) {
      sink.skip("not a record of this agent");
      return;
    }
    const line = parsed.data;
    // Old sub-agent files lie beside the main ones, for all sessions of a folder.
    if (subagent && line.sessionId !== this.#session) return;
    const at = this.#clock.at(line.timestamp);
    if (!subagent && this.#purpose === "events") learnFacts(line, sink);
    switch (line.type) {
      case "assistant":
        this.#assistant(line, at, subagent, sink);
        return;
      case "user":
        this.#user(line, at, subagent, sink);
        return;
      case "system":
        if (line.subtype === "compact_boundary")
          sink.event(agentEvent(`${line.uuid}:0`, "compacted", at, "Conversation compacted", side(subagent)));
        else if (line.subtype === "turn_duration" && !subagent && !this.#failed) sink.status("idle", at, "turn ended");
        else if (typeof line.content === "string") this.#note(line, line.content, at, subagent, sink);
        return;
      case "attachment":
        if (line.attachment?.identity?.modelId !== undefined && !subagent) sink.model(line.attachment.identity.modelId);
        this.#attached(line, at, subagent, sink);
        return;
      case "cost-state":
        if (line.totalCostUSD !== undefined) sink.reported(line.totalCostUSD);
        return;
      default:
        return;
    }
  }

  #assistant(line: Line, at: string, subagent: boolean, sink: TranscriptSink): void {
    const { message } = line;
    if (message === undefined) {
      sink.skip("answer without a message");
      return;
    }
    if (!subagent) this.#failed = line.isApiErrorMessage === true;
    if (line.isApiErrorMessage === true) {
      sink.event(agentEvent(`${line.uuid}:0`, "error", at, textOf(message.content), side(subagent)));
      if (!subagent) sink.status("error", at, textOf(message.content));
    } else this.#count(line, at, subagent, sink);
    const blocks = z.array(Block).safeParse(message.content).data ?? [];
    if (line.isApiErrorMessage !== true && this.#purpose === "events")
      blocks.forEach((block, index) => {
        this.#block(block, `${line.uuid}:${index}`, at, subagent, line, sink);
      });
    if (subagent || line.isApiErrorMessage === true) return;
    const last = blocks.at(-1)?.type;
    const ended = message.stop_reason ?? (last === "text" ? "end_turn" : "tool_use");
    if (ended === "tool_use" || last === "thinking") sink.status("working", at, "a tool runs or is asked for");
    else sink.status("idle", at, "answer ended");
  }

  #count(line: Line, at: string, subagent: boolean, sink: TranscriptSink): void {
    const { id, model, usage } = line.message ?? {};
    if (usage === undefined) {
      sink.skip("answer without usage");
      return;
    }
    if (model === undefined || model === "<synthetic>") {
      sink.skip("made by the agent itself, not by a model");
      return;
    }
    if (id === undefined) {
      sink.skip("answer without an id");
      return;
    }
    if (line.requestSessionId !== undefined && line.requestSessionId !== this.#session) {
      sink.skip("copied from the session that this one was forked from");
      return;
    }
    const webSearches = usage.server_tool_use?.web_search_requests ?? 0;
    sink.call({
      id,
      model,
      at,
      subagent,
      tokens: tokensOf(usage),
      factor: factorOf(model, usage),
      ...(webSearches > 0 && { webSearches }),
    });
    // The answer's own usage does not include what another model was asked meanwhile.
    for (const [index, iteration] of (usage.iterations ?? []).entries()) {
      if (iteration.type !== "advisor_message" || iteration.model === undefined) continue;
      const { model: asked } = iteration;
      sink.call({ id: `${id}:${index}`, answer: id, model: asked, at, subagent: true, tokens: tokensOf(iteration) });
    }
  }

  #block(block: Block, id: string, at: string, subagent: boolean, { message }: Line, sink: TranscriptSink): void {
    const details = { answer: message?.id, model: message?.model };
    const { type } = block;
    const tell = (is: "assistant_message" | "thinking", text: string, more: EventDetails = {}) =>
      sink.event(agentEvent(id, is, at, text, side(subagent), { ...details, ...more }));
    if (type === "text") tell("assistant_message", block.text ?? "");
    else if (type === "thinking") tell("thinking", block.thinking ?? "");
    else if (type === "redacted_thinking") {
      const incomplete = "The provider has encrypted this thinking.";
      const kind = { kind: "thinking", role: "assistant", incomplete } as const;
      sink.note?.(agentEvent(id, "note", at, "", side(subagent), { ...details, ...kind }));
    } else if (isCall(type)) {
      const data = { id: block.id ?? "", name: block.name ?? "", input: toolInput(block.input), ...side(subagent) };
      sink.event(agentEvent(id, "tool_call", at, block.name ?? "", data, details));
    } else if (isResult(type)) {
      // A tool that the provider runs answers within the same message.
      const isError = z.object({ type: z.string().endsWith("_error") }).safeParse(block.content).success;
      const data = { id: block.tool_use_id ?? "", isError, refused: false, ...side(subagent) };
      sink.event(agentEvent(id, "tool_result", at, servedText(block.content), data));
    }
  }

  /** A prompt that was entered during a turn and has reached the model in that turn has no record of its own. */
  #attached({ uuid, attachment }: Line, at: string, subagent: boolean, sink: TranscriptSink): void {
    if (attachment?.type === "queued_command") {
      const text = textOf(attachment.prompt);
      const images = imagesIn(attachment.prompt);
      const details = { ...(images.length > 0 && { images }) };
      if (attachment.origin?.kind !== "human") {
        if (text !== "") sink.note?.(agentEvent(`${uuid}:0`, "note", at, text, side(subagent)));
      } else if (text !== "" && !subagent) sink.event(agentEvent(`${uuid}:0`, "user_message", at, text, {}, details));
    } else if (attachment?.type === "file" && attachment.filename !== undefined)
      sink.note?.(
        agentEvent(`${uuid}:0`, "note", at, fileText(attachment.filename, attachment.content), side(subagent)),
      );
  }

  /** What stands in the transcript, but was neither typed as a prompt nor said by a model. */
  #note({ uuid }: Line, text: string, at: string, subagent: boolean, sink: TranscriptSink): void {
    const note = noteIn(text);
    sink.note?.(agentEvent(`${uuid}:0`, "note", at, note.text, side(subagent), note.details));
  }

  #user(line: Line, at: string, subagent: boolean, sink: TranscriptSink): void {
    const content = line.message?.content;
    const blocks = z.array(Block).safeParse(content).data ?? [];
    const said = blocks.filter((block) => block.type !== "tool_result");
    const text = textOf(typeof content === "string" ? content : said.filter((block) => block.type === "text"));
    const id = `${line.uuid}:${Math.max(
      0,
      blocks.findIndex((block) => block.type !== "tool_result"),
    )}`;
    if (line.isMeta === true || line.isCompactSummary === true) {
      const details: EventDetails = line.isCompactSummary === true ? { kind: "summary" } : {};
      if (text !== "") sink.note?.(agentEvent(id, "note", at, text, side(subagent), details));
      return;
    }
    const { durationMs } = line.toolUseResult ?? {};
    const { decision, source } = line.permissionDecision ?? {};
    blocks.forEach((block, index) => {
      if (block.type !== "tool_result") return;
      const isError = block.is_error === true;
      const told = textOf(block.content);
      const exitCode = isError ? EXIT_CODE.exec(told)?.[1] : undefined;
      const refused = line.toolDenialKind !== undefined || (isError && told.startsWith(REFUSED));
      const data = { id: block.tool_use_id ?? "", isError, refused, ...side(subagent) };
      const images = imagesIn(block.content);
      const details = {
        ...(exitCode !== undefined && { exitCode: Number(exitCode) }),
        ...(durationMs !== undefined && { durationMs }),
        ...(decision !== undefined && { decision: source === undefined ? decision : `${decision} (${source})` }),
        ...(images.length > 0 && { images }),
      };
      sink.event(agentEvent(`${line.uuid}:${index}`, "tool_result", at, told, data, details));
      if (!subagent) sink.status("working", at, "a tool has answered");
    });
    const images = imagesIn(said);
    if (text === "" && images.length === 0) return;
    const details = { ...(images.length > 0 && { images }) };
    const typed = shellCommand(text);
    if (text.startsWith("[Request interrupted by user")) {
      sink.event(agentEvent(id, "interrupted", at, text, side(subagent)));
      if (!subagent) sink.status("idle", at, "interrupted");
    } else if (INJECTED.test(text)) this.#note(line, text, at, subagent, sink);
    else if (subagent || line.isSidechain === true) {
      const of = line.agentId === undefined ? {} : { subagent: line.agentId };
      sink.event(agentEvent(id, "subagent_prompt", at, text, side(true), { ...details, ...of }));
    } else {
      this.#failed = false;
      // A prompt of images alone was always left out of the events.
      if (text === "") sink.note?.(agentEvent(id, "note", at, "", {}, { ...details, kind: "prompt", role: "user" }));
      else if (typed !== undefined)
        sink.event(agentEvent(id, "user_message", at, `!${typed}`, {}, { kind: "command" }));
      else sink.event(agentEvent(id, "user_message", at, text, {}, details));
      sink.status("working", at, "prompt sent");
    }
  }
}

function learnFacts(
  { gitBranch, permissionMode, totalLinesAdded, totalLinesRemoved }: Line,
  sink: TranscriptSink,
): void {
  // Outside of a repository, and without a branch, it is "HEAD".
  const branch = gitBranch !== undefined && gitBranch !== "" && gitBranch !== "HEAD" && { branch: gitBranch };
  const mode = permissionMode !== undefined && { mode: permissionMode };
  const added = totalLinesAdded !== undefined && { linesAdded: totalLinesAdded };
  const removed = totalLinesRemoved !== undefined && { linesRemoved: totalLinesRemoved };
  if (branch || mode || added || removed) sink.facts({ ...branch, ...mode, ...added, ...removed });
}

function tokensOf(usage: Tokens): CallTokens {
  return {
    input: usage.input_tokens,
    cacheWrite: usage.cache_creation_input_tokens ?? 0,
    cacheWrite1h: usage.cache_creation?.ephemeral_1h_input_tokens ?? 0,
    cached: usage.cache_read_input_tokens ?? 0,
    output: usage.output_tokens,
  };
}

/** The fast mode costs six times as much up to Opus 4.7, twice as much since; a region of its own costs a tenth more. */
function factorOf(model: string, { speed, inference_geo: region }: z.infer<typeof Usage>): number {
  const fast = speed === "fast" ? (/opus-4[-.][67](?!\d)/.test(model) ? 6 : 2) : 1;
  return region === "us" ? fast * 1.1 : fast;
}

function side(subagent: boolean): { subagent?: true } {
  return subagent ? { subagent: true } : {};
}

/** An id with its key, and the output with its key: enough to tell an answer's lines from the next one's. */
const ID_BYTES = 40;
const OUTPUT_BYTES = 26;

/** What Claude Code itself puts into user records. */
const INJECTED = /^\s*<(command-|local-command|system-reminder|bash-std|task-notification)/;
const EXIT_CODE = /^Exit code (\d{1,9})\b/;

/**
 * By the first bytes alone: `{"type":"api-request…` and `{"parentUuid":…,"isSidechain":…,"attachment":…` are most of
 * a transcript's bytes and hold nothing for us. Any other order of keys is parsed.
 */
function lineKind(bytes: Buffer, start: number, end: number): "no" | "told" | "status" | "answer" | "yes" {
  if (end - start < 24) return "no";
  if (bytes[start + 2] === 0x74) return typedKind(bytes, start); // {"t
  if (bytes[start + 2] !== 0x70) return "yes"; // {"p
  const afterParent = bytes[start + 14] === 0x22 ? start + 52 : start + 18;
  if (bytes[afterParent + 2] !== 0x69) return "yes"; // ,"i
  const key = bytes[afterParent + 15] === 0x74 ? afterParent + 21 : afterParent + 22;
  const first = bytes[key];
  if (first === 0x61 && bytes[key + 1] === 0x74) return ofAttachment(bytes[key + 21]); // "attachment":{"type":"…
  if (first === 0x74 && bytes[key + 7] === 0x73) return "status"; // "type":"system"
  if (first === 0x70) return "status"; // "promptId": a user's line
  if (first === 0x6d) return "answer"; // "message":{"id":…
  if (first === 0x75 && bytes.subarray(start, Math.min(end, start + 500)).includes('"type":"user"')) return "status";
  return "yes";
}

/** By the first letter of its type: m(odel), q(ueued_command); a f(ile) only says what was told. */
function ofAttachment(letter: number | undefined): "no" | "told" | "yes" {
  if (letter === 0x66) return "told";
  return letter === 0x6d || letter === 0x71 ? "yes" : "no";
}

function typedKind(bytes: Buffer, start: number): "no" | "yes" {
  const [first, second] = [bytes[start + 9], bytes[start + 10]];
  if (bytes[start + 3] !== 0x79) return "yes"; // not {"type
  if (first === 0x61) return second === 0x73 ? "yes" : "no"; // as(sistant), not ap(i-request), at(is-latch)
  if (first === 0x73) return second === 0x79 ? "yes" : "no"; // sy(stem), not su(mmary)
  if (first === 0x63) return second === 0x6f ? "yes" : "no"; // co(st-state)
  return first === 0x75 ? "yes" : "no"; // u(ser)
}

const count = z.number().min(0);

const Tokens = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count.nullish(),
  cache_read_input_tokens: count.nullish(),
  cache_creation: z.object({ ephemeral_1h_input_tokens: count.nullish() }).nullish(),
});
type Tokens = z.infer<typeof Tokens>;

const Usage = Tokens.extend({
  speed: z.string().nullish().catch(undefined),
  inference_geo: z.string().nullish().catch(undefined),
  server_tool_use: z.object({ web_search_requests: count.nullish() }).nullish().catch(undefined),
  iterations: z
    .array(Tokens.extend({ type: z.string(), model: z.string().optional() }))
    .nullish()
    .catch(undefined),
});

/** The result of a call that the user refused, before Claude Code told so in a field of its own. */
const REFUSED = "The user doesn't want to proceed with this tool use";

const Block = z.object({
  type: z.string(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  is_error: z.boolean().nullish(),
  content: z.unknown().optional(),
});
type Block = z.infer<typeof Block>;

const lines = z.int().min(0).optional().catch(undefined);
const word = z.string().max(200).optional().catch(undefined);
const Line = z.object({
  type: z.string(),
  subtype: z.string().optional(),
  uuid: z.string().optional(),
  sessionId: z.string().optional(),
  requestSessionId: z.string().optional(),
  timestamp: z.unknown().optional(),
  isSidechain: z.boolean().nullish(),
  isMeta: z.boolean().nullish(),
  isCompactSummary: z.boolean().nullish(),
  isApiErrorMessage: z.boolean().nullish(),
  totalCostUSD: count.optional(),
  totalLinesAdded: lines,
  totalLinesRemoved: lines,
  gitBranch: word,
  permissionMode: word,
  toolDenialKind: word,
  agentId: word,
  /** Of a `system` line. */
  content: z.unknown().optional(),
  toolUseResult: z
    .object({ durationMs: z.number().min(0).optional().catch(undefined) })
    .optional()
    .catch(undefined),
  permissionDecision: z.object({ decision: word, source: word }).optional().catch(undefined),
  attachment: z
    .object({
      type: z.string().optional().catch(undefined),
      filename: z.string().max(4096).optional().catch(undefined),
      content: z.unknown().optional(),
      identity: z.object({ modelId: z.string() }).optional().catch(undefined),
      prompt: z.unknown().optional(),
      origin: z.object({ kind: z.string() }).optional().catch(undefined),
    })
    .optional(),
  message: z
    .object({
      id: z.string().optional(),
      model: z.string().optional(),
      stop_reason: z.string().nullish(),
      usage: Usage.optional(),
      content: z.unknown().optional(),
    })
    .optional(),
});
type Line = z.infer<typeof Line>;
