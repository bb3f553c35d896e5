import { z } from "zod";
import type {
  EventDetails,
  ParsePurpose,
  TranscriptEvent,
  TranscriptNote,
  TranscriptParser,
  TranscriptSink,
} from "./adapter.ts";
import { agentEvent, TranscriptClock, tell, textOf, toolInput } from "./event-parts.ts";
import { partImages, shellExitCode } from "./gemini-parts.ts";

/**
 * Gemini CLI's records: a log in which the same id again is a newer version of that message, or (before 0.4x) one
 * document with a list of messages. A message that was rewound or replaced stays spent. After a cancel the history is
 * written again with new ids, as arrays and without tokens; those copies are neither counted nor told.
 */
export class GeminiParser implements TranscriptParser {
  readonly #purpose: ParsePurpose;
  readonly #clock = new TranscriptClock();
  readonly #told = new Set<string>();
  #linesAdded = 0;
  #linesRemoved = 0;
  /** The message is of a list that was set again: without tokens it is a copy. */
  #isHistory = false;

  constructor(purpose: ParsePurpose) {
    this.#purpose = purpose;
  }

  matters(bytes: Buffer, start: number, end: number): "no" | "yes" {
    // {"$set":{"lastUpdated":"…"}} comes after every message.
    return end - start < 70 && bytes[start + 2] === 0x24 ? "no" : "yes";
  }

  record(value: unknown, subagent: boolean, sink: TranscriptSink): void {
    const parsed = Line.safeParse(value);
    if (!parsed.success) {
      sink.skip("not a record of this agent");
      return;
    }
    const line = parsed.data;
    if (line.id !== undefined) this.#message(value, subagent, sink);
    for (const message of line.messages ?? []) this.#message(message, subagent, sink);
    // A list that is set again is history: it may hold calls that we have not seen, but it says nothing of now.
    const past = quiet(sink);
    this.#isHistory = true;
    for (const message of line.$set?.messages ?? []) this.#message(message, subagent, past);
    this.#isHistory = false;
  }

  #message(value: unknown, subagent: boolean, sink: TranscriptSink): void {
    const parsed = Message.safeParse(value);
    if (!parsed.success) {
      sink.skip("not a message of this agent");
      return;
    }
    const message = parsed.data;
    const at = this.#clock.at(message.timestamp);
    switch (message.type) {
      case "gemini":
        this.#answer(message, at, subagent, sink);
        return;
      case "user":
        this.#user(message, at, subagent, sink);
        return;
      case "error":
        this.#tell(message.id, () => agentEvent(message.id, "error", at, textOf(message.content)), sink);
        if (!subagent) sink.status("error", at, textOf(message.content));
        return;
      case "info":
      case "warning":
        if (!textOf(message.content).startsWith("Request cancelled")) {
          this.#tell(message.id, (key) => agentEvent(key, "note", at, textOf(message.content), side(subagent)), sink);
          return;
        }
        this.#tell(message.id, () => agentEvent(message.id, "interrupted", at, textOf(message.content)), sink);
        if (!subagent) sink.status("idle", at, "interrupted");
        return;
    }
  }

  #answer(message: Message, at: string, subagent: boolean, sink: TranscriptSink): void {
    const { id, tokens, model, toolCalls = [] } = message;
    if (tokens == null) {
      if (typeof message.content !== "string") sink.skip("history written again after a cancel or resume");
      else {
        sink.skip("answer without tokens");
        if (this.#purpose === "events" && !this.#isHistory) this.#tellAnswer(message, at, subagent, sink);
      }
      return;
    }
    const prompt = tokens.input + (tokens.tool ?? 0);
    const cached = Math.min(tokens.cached ?? 0, prompt);
    const output = tokens.output + (tokens.thoughts ?? 0);
    if (prompt + output === 0) sink.skip("no tokens");
    else {
      const parts = { input: prompt - cached, cacheWrite: 0, cacheWrite1h: 0, cached, output };
      sink.call({ id, model: model ?? "unknown", at, subagent, tokens: parts });
    }
    if (!subagent) {
      if (toolCalls.length === 0) sink.status("idle", at, "answer ended");
      else sink.status("working", at, "a tool has answered");
    }
    if (this.#purpose === "events") this.#tellAnswer(message, at, subagent, sink);
  }

  #tellAnswer(message: Message, at: string, subagent: boolean, sink: TranscriptSink): void {
    const { id, model, thoughts = [], toolCalls = [] } = message;
    const extra = side(subagent);
    const details = { answer: id, model };
    thoughts?.forEach(({ subject, description }, index) => {
      const text = [subject, description].filter(Boolean).join(": ");
      this.#tell(`${id}:t${index}`, (key) => agentEvent(key, "thinking", at, text, extra, details), sink);
    });
    const text = textOf(message.content);
    if (text !== "")
      this.#tell(`${id}:a`, (key) => agentEvent(key, "assistant_message", at, text, extra, details), sink);
    for (const call of toolCalls) {
      const data = { id: call.id, name: call.name, input: toolInput(call.args), ...extra };
      const done = this.#clock.at(call.timestamp);
      this.#tell(`${id}:c${call.id}`, (key) => agentEvent(key, "tool_call", at, call.name, data, details), sink);
      if (call.status !== "success" && call.status !== "error" && call.status !== "cancelled") continue;
      const exitCode = shellExitCode(responseText(call)) ?? shellExitCode(resultText(call));
      const isError = call.status !== "success" || (exitCode ?? 0) !== 0;
      const result = { id: call.id, isError, ...refusal(call), ...extra };
      const images = partImages(call.result);
      const more: EventDetails = { ...(exitCode !== undefined && { exitCode }), ...(images.length > 0 && { images }) };
      if (call.status === "success" && !this.#told.has(`${id}:r${call.id}`)) this.#learnLines(call.resultDisplay, sink);
      this.#tell(
        `${id}:r${call.id}`,
        (key) => agentEvent(key, "tool_result", done, resultText(call), result, more),
        sink,
      );
    }
  }

  /** As Gemini CLI counts the lines that its tools have changed. */
  #learnLines(display: unknown, sink: TranscriptSink): void {
    const changed = ChangedFile.safeParse(display).data?.diffStat;
    if (changed === undefined) return;
    this.#linesAdded += changed.model_added_lines;
    this.#linesRemoved += changed.model_removed_lines;
    sink.facts({ linesAdded: this.#linesAdded, linesRemoved: this.#linesRemoved });
  }

  #user(message: Message, at: string, subagent: boolean, sink: TranscriptSink): void {
    const text = textOf(message.content);
    const images = partImages(message.content);
    if (text === "" && images.length === 0) return;
    const details: EventDetails = images.length > 0 ? { images } : {};
    const note = (more: EventDetails = {}) =>
      this.#tell(message.id, (key) => agentEvent(key, "note", at, text, side(subagent), more), sink);
    if (text.startsWith("<session_context>")) {
      // After a cancel the history is written again behind it, which was told before.
      if (text.trimEnd().endsWith("</session_context>")) note();
      return;
    }
    if (text === "") {
      note({ ...details, kind: "prompt", role: "user" });
      return;
    }
    const type = subagent ? "subagent_prompt" : "user_message";
    this.#tell(message.id, (key) => agentEvent(key, type, at, text, side(subagent), details), sink);
    if (!subagent) sink.status("working", at, "prompt sent");
  }

  #tell(key: string, event: (key: string) => TranscriptEvent | TranscriptNote, sink: TranscriptSink): void {
    if (this.#purpose !== "events" || this.#told.has(key)) return;
    this.#told.add(key);
    tell(sink, event(key));
  }
}

function side(subagent: boolean): { subagent?: true } {
  return subagent ? { subagent: true } : {};
}

function quiet(sink: TranscriptSink): TranscriptSink {
  return {
    call: (call) => sink.call(call),
    event: (event) => sink.event(event),
    note: (note) => sink.note?.(note),
    status: () => {},
    model: (model) => sink.model(model),
    reported: (cost) => sink.reported(cost),
    context: (context) => sink.context(context),
    windows: (windows, at) => sink.windows(windows, at),
    facts: (facts) => sink.facts(facts),
    skip: (reason) => sink.skip(reason),
  };
}

/** A call that was cancelled may have run before: only the words say that it was not. */
function refusal(call: ToolCall): { refused?: boolean } {
  if (call.status !== "cancelled") return { refused: false };
  return /\b(denied execution|did not allow)\b/i.test(resultText(call)) ? { refused: true } : {};
}

function resultText(call: ToolCall): string {
  if (typeof call.resultDisplay === "string" && call.resultDisplay !== "") return call.resultDisplay;
  return responseText(call);
}

function responseText(call: ToolCall): string {
  const parts = z.array(FunctionResponse).safeParse(call.result).data ?? [];
  return parts.map(({ functionResponse: { response } }) => response.output ?? response.error ?? "").join("\n");
}

const lines = z.int().min(0).max(1_000_000_000);
/** What a tool that changes a file shows; that of Qwen Code, too. */
export const ChangedFile = z.object({
  diffStat: z.object({ model_added_lines: lines, model_removed_lines: lines }),
});
const count = z.number().min(0);
const ToolCall = z.object({
  id: z.string(),
  name: z.string(),
  args: z.unknown().optional(),
  status: z.string().optional(),
  timestamp: z.unknown().optional(),
  result: z.unknown().optional(),
  resultDisplay: z.unknown().optional(),
});
type ToolCall = z.infer<typeof ToolCall>;
const FunctionResponse = z.object({
  functionResponse: z.object({
    response: z.object({ output: z.string().optional(), error: z.string().optional() }),
  }),
});
const Message = z.object({
  id: z.string(),
  type: z.string(),
  timestamp: z.unknown().optional(),
  content: z.unknown().optional(),
  model: z.string().optional(),
  tokens: z
    .object({ input: count, output: count, cached: count.nullish(), thoughts: count.nullish(), tool: count.nullish() })
    .nullish(),
  thoughts: z
    .array(z.object({ subject: z.string().optional(), description: z.string().optional() }))
    .nullish()
    .catch(undefined),
  toolCalls: z.array(ToolCall).optional(),
});
type Message = z.infer<typeof Message>;
const Line = z.object({
  id: z.string().optional(),
  messages: z.array(z.unknown()).optional(),
  $set: z.object({ messages: z.array(z.unknown()).optional() }).optional(),
});
