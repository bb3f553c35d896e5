import { z } from "zod";
import type { EventDetails, ParsePurpose, TranscriptEvent, TranscriptParser, TranscriptSink } from "./adapter.ts";
import { agentEvent, TranscriptClock, toolInput } from "./event-parts.ts";
import { partImages, shellExitCode } from "./gemini-parts.ts";
import { ChangedFile } from "./gemini-records.ts";

/**
 * Qwen Code's records: the messages in the form of the Gemini API, and among them a report of every API call, those of
 * sub-agents and of hidden questions included. The reports are what counts.
 */
export class QwenParser implements TranscriptParser {
  readonly #purpose: ParsePurpose;
  readonly #clock = new TranscriptClock();
  #linesAdded = 0;
  #linesRemoved = 0;
  /** The API call whose answer comes next. */
  #reported: string | undefined;
  /** The calls of the last answer that have no result yet, and whether the turn goes on with the results of the others. */
  #calls: ReadonlySet<string> = new Set();
  #goesOn = false;
  /** How long the tools took whose results come next, by the id of their call. */
  readonly #durations = new Map<string, number>();

  constructor(purpose: ParsePurpose) {
    this.#purpose = purpose;
  }

  matters(bytes: Buffer, start: number, end: number): "no" | "yes" {
    return bytes.subarray(start, Math.min(end, start + HEAD)).includes('"file_history_snapshot"') ? "no" : "yes";
  }

  record(value: unknown, _subagent: boolean, sink: TranscriptSink): void {
    const { data } = Line.safeParse(value);
    if (data === undefined) {
      sink.skip("not a record of this agent");
      return;
    }
    const at = this.#clock.at(data.timestamp);
    if (this.#purpose === "events") this.#learn(data, sink);
    if (data.subtype === "ui_telemetry") this.#report(data, at, sink);
    else if (data.type === "user") this.#user(data, at, sink);
    else if (data.type === "assistant") this.#answer(data, at, sink);
    else if (data.type === "tool_result") this.#result(data, at, sink);
  }

  #learn({ type, gitBranch, toolCallResult }: Line, sink: TranscriptSink): void {
    if (gitBranch !== undefined && gitBranch !== "" && gitBranch !== "HEAD") sink.facts({ branch: gitBranch });
    const isDone = type === "tool_result" && toolCallResult?.status === "success";
    const changed = isDone ? ChangedFile.safeParse(toolCallResult.resultDisplay).data?.diffStat : undefined;
    if (changed === undefined) return;
    this.#linesAdded += changed.model_added_lines;
    this.#linesRemoved += changed.model_removed_lines;
    sink.facts({ linesAdded: this.#linesAdded, linesRemoved: this.#linesRemoved });
  }

  #report({ uuid, systemPayload, forkedFrom }: Line, at: string, sink: TranscriptSink): void {
    // A call that a fork has copied counts in the session that made it.
    if (forkedFrom !== undefined) return;
    const { data } = Report.safeParse(systemPayload);
    const report = data?.uiEvent;
    if (report?.["event.name"] === "qwen-code.api_error") {
      const text = report.error_message ?? report.error ?? "the API answered with an error";
      this.#tell(agentEvent(uuid, "error", at, text), sink);
      sink.status("error", at, text);
      return;
    }
    if (report?.["event.name"] === "qwen-code.tool_call" && report.call_id !== undefined) {
      this.#durations.clear();
      if (report.duration_ms !== undefined) this.#durations.set(report.call_id, report.duration_ms);
    }
    if (report?.["event.name"] !== "qwen-code.api_response") return;
    const { input_token_count: prompt = 0, total_token_count: total = 0, model = "unknown" } = report;
    const cached = Math.min(report.cached_content_token_count ?? 0, prompt);
    // Whether the output includes the thoughts depends on the provider; the total is the same for all.
    const output = Math.max(report.output_token_count ?? 0, total - prompt);
    if (prompt + output === 0) {
      sink.skip("no tokens");
      return;
    }
    const id = report.response_id || uuid;
    if (report.subagent_name === undefined) this.#reported = id;
    sink.call({
      id,
      model,
      at,
      subagent: report.subagent_name !== undefined,
      tokens: { input: prompt - cached, cacheWrite: 0, cacheWrite1h: 0, cached, output },
    });
  }

  #user({ uuid, message, provenance }: Line, at: string, sink: TranscriptSink): void {
    const text = textIn(message?.parts);
    const images = partImages(message?.parts);
    const details: EventDetails = images.length > 0 ? { images } : {};
    const isTyped = provenance === undefined || provenance === "real_user";
    if (!isTyped || text === "") {
      const what: EventDetails = isTyped ? { ...details, kind: "prompt", role: "user" } : details;
      if (text !== "" || images.length > 0) sink.note?.(agentEvent(uuid, "note", at, text, {}, what));
      return;
    }
    this.#tell(agentEvent(uuid, "user_message", at, text, {}, details), sink);
    sink.status("working", at, "prompt sent");
  }

  #answer({ uuid, message, model }: Line, at: string, sink: TranscriptSink): void {
    const parts = message?.parts ?? [];
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    if (calls.length > 0) sink.status("working", at, "a tool is called");
    else sink.status("idle", at, "answer ended");
    this.#calls = new Set(calls.map(({ id = "" }) => id));
    this.#goesOn = false;
    const [thoughts, text] = [textIn(parts, true), textIn(parts)];
    const details = { answer: this.#reported, model };
    this.#reported = undefined;
    if (thoughts !== "") this.#tell(agentEvent(`${uuid}:t`, "thinking", at, thoughts, {}, details), sink);
    if (text !== "") this.#tell(agentEvent(`${uuid}:a`, "assistant_message", at, text, {}, details), sink);
    for (const { id = "", name, args } of calls) {
      const data = { id, name, input: toolInput(args) };
      this.#tell(agentEvent(`${uuid}:c${id}`, "tool_call", at, name, data, details), sink);
    }
  }

  #result({ uuid, message, toolCallResult }: Line, at: string, sink: TranscriptSink): void {
    const status = toolCallResult?.status;
    const ids = message?.parts?.map(({ functionResponse }) => functionResponse?.id ?? "") ?? [];
    this.#calls = new Set([...this.#calls].filter((id) => !ids.includes(id)));
    this.#goesOn ||= status !== "cancelled";
    // Where the user has cancelled all calls, the model is not asked again.
    if (this.#goesOn || this.#calls.size > 0) sink.status("working", at, "a tool has answered");
    else sink.status("idle", at, "the call was cancelled");
    const shown = ShellResult.safeParse(toolCallResult?.resultDisplay).data;
    // A call that was cancelled may have run before.
    const isDone = status === "success" || status === "error";
    for (const { functionResponse } of message?.parts ?? []) {
      if (functionResponse === undefined) continue;
      const { id = "", response } = functionResponse;
      const text = response?.output ?? response?.error ?? "";
      const exitCode = shown?.exitCode ?? shellExitCode(text);
      const isError = status !== "success" || (exitCode ?? 0) !== 0;
      const durationMs = this.#durations.get(id);
      const data = { id, isError, ...(isDone && { refused: false }) };
      const details = { ...(exitCode !== undefined && { exitCode }), ...(durationMs !== undefined && { durationMs }) };
      this.#tell(agentEvent(`${uuid}:r${id}`, "tool_result", at, text, data, details), sink);
    }
  }

  #tell(event: TranscriptEvent, sink: TranscriptSink): void {
    if (this.#purpose === "events") sink.event(event);
  }
}

/** Where the kind of a record is at the latest. */
const HEAD = 512;

function textIn(parts: readonly Part[] = [], thought = false): string {
  const texts = parts.map((part) => ((part.thought ?? false) === thought ? (part.text ?? "") : ""));
  return texts.filter((text) => text !== "").join("\n");
}

const count = z.number().min(0);
const ShellResult = z.object({ exitCode: z.int().optional().catch(undefined) });
const Part = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  functionCall: z.object({ id: z.string().optional(), name: z.string(), args: z.unknown().optional() }).optional(),
  functionResponse: z
    .object({
      id: z.string().optional(),
      response: z.object({ output: z.string().optional(), error: z.string().optional() }).optional().catch(undefined),
    })
    .optional(),
});
type Part = z.infer<typeof Part>;
const Line = z.object({
  uuid: z.string(),
  type: z.string(),
  subtype: z.string().optional(),
  provenance: z.string().optional(),
  timestamp: z.unknown().optional(),
  message: z.object({ parts: z.array(Part).optional().catch(undefined) }).optional(),
  model: z.string().optional().catch(undefined),
  gitBranch: z.string().max(200).optional().catch(undefined),
  toolCallResult: z
    .object({ status: z.string().optional(), resultDisplay: z.unknown().optional() })
    .optional()
    .catch(undefined),
  systemPayload: z.unknown().optional(),
  forkedFrom: z.unknown().optional(),
});
type Line = z.infer<typeof Line>;
const Report = z.object({
  uiEvent: z.object({
    "event.name": z.string(),
    response_id: z.string().optional(),
    call_id: z.string().optional().catch(undefined),
    duration_ms: z.number().min(0).optional().catch(undefined),
    model: z.string().optional(),
    input_token_count: count.optional(),
    output_token_count: count.optional(),
    cached_content_token_count: count.optional(),
    total_token_count: count.optional(),
    subagent_name: z.string().optional(),
    error: z.string().optional(),
    error_message: z.string().optional(),
  }),
});
