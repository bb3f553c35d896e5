import { z } from "zod";
import type { EventDetails, ParsePurpose, TranscriptEvent, TranscriptParser, TranscriptSink } from "./adapter.ts";
import { agentEvent, linkedImage, TranscriptClock, toolInput } from "./event-parts.ts";

/** GitHub Copilot CLI's events. A `session.usage_record` stands for each API call. */
export class CopilotParser implements TranscriptParser {
  readonly #purpose: ParsePurpose;
  readonly #clock = new TranscriptClock();
  #linesAdded = 0;
  #linesRemoved = 0;

  constructor(purpose: ParsePurpose) {
    this.#purpose = purpose;
  }

  matters(bytes: Buffer, start: number): "no" | "yes" {
    return bytes.subarray(start, start + SYSTEM.length).equals(SYSTEM) ? "no" : "yes";
  }

  record(value: unknown, subagent: boolean, sink: TranscriptSink): void {
    const { data: line } = Line.safeParse(value);
    if (line === undefined) {
      sink.skip("not a record of this agent");
      return;
    }
    const at = this.#clock.at(line.timestamp);
    const { id, data } = line;
    switch (line.type) {
      case "session.start":
        if (data.selectedModel !== undefined) sink.model(data.selectedModel);
        if (!subagent) this.#learn(data, sink);
        return;
      case "session.model_change":
        if (!subagent) this.#learn(data, sink);
        return;
      case "session.shutdown":
        if (!subagent) this.#changed(data, sink);
        return;
      case "session.usage_record":
        this.#call(line, at, subagent, sink);
        return;
      case "user.message":
        this.#tell(agentEvent(id, "user_message", at, data.content ?? "", {}, attached(data.attachments)), sink);
        sink.status("working", at, "prompt sent");
        return;
      case "assistant.message":
        this.#answer(line, at, sink);
        return;
      case "tool.execution_complete":
        this.#result(line, at, sink);
        sink.status("working", at, "a tool has answered");
        return;
      case "abort":
        this.#tell(agentEvent(id, "interrupted", at, data.reason ?? ""), sink);
        sink.status("idle", at, "interrupted");
        return;
      case "session.error":
        this.#tell(agentEvent(id, "error", at, data.message ?? ""), sink);
        sink.status("error", at, data.message ?? "");
        return;
      case "session.compaction_complete":
        this.#tell(agentEvent(id, "compacted", at, ""), sink);
    }
  }

  #learn({ context, reasoningEffort: effort }: Line["data"], sink: TranscriptSink): void {
    if (this.#purpose !== "events") return;
    const branch = context?.branch;
    sink.facts({ ...(branch && { branch }), ...(effort && { effort }) });
  }

  /** Copilot counts the changed lines of a run, and tells them at its end; a session may have several. */
  #changed({ codeChanges }: Line["data"], sink: TranscriptSink): void {
    if (this.#purpose !== "events" || codeChanges === undefined) return;
    this.#linesAdded += codeChanges.linesAdded;
    this.#linesRemoved += codeChanges.linesRemoved;
    sink.facts({ linesAdded: this.#linesAdded, linesRemoved: this.#linesRemoved });
  }

  #call({ id, data: { usage } }: Line, at: string, subagent: boolean, sink: TranscriptSink): void {
    if (usage === undefined) {
      sink.skip("a usage record without usage");
      return;
    }
    const { inputTokens = 0, outputTokens: output = 0, cacheReadTokens = 0, cacheWriteTokens = 0, model } = usage;
    if (inputTokens + output === 0) {
      sink.skip("no tokens");
      return;
    }
    const cached = Math.min(cacheReadTokens, inputTokens);
    const cacheWrite = Math.min(cacheWriteTokens, inputTokens - cached);
    const input = inputTokens - cached - cacheWrite;
    const tokens = { input, cacheWrite, cacheWrite1h: 0, cached, output };
    sink.call({ id: usage.apiCallId ?? id, model: model ?? "unknown", at, subagent, tokens });
  }

  #result({ id, data }: Line, at: string, sink: TranscriptSink): void {
    const exitCode = data.shellExecution?.exitCode;
    const isError = data.success !== true || (exitCode ?? 0) !== 0;
    const text = data.result?.content ?? data.error?.message ?? "";
    const details = exitCode === undefined ? {} : { exitCode };
    this.#tell(agentEvent(id, "tool_result", at, text, { id: data.toolCallId ?? "", isError }, details), sink);
  }

  #answer({ id, data }: Line, at: string, sink: TranscriptSink): void {
    const { content = "", reasoningText = "", toolRequests = [] } = data;
    const details = { answer: data.apiCallId, model: data.model };
    if (toolRequests.length > 0) sink.status("working", at, "a tool is called");
    else sink.status("idle", at, "answer ended");
    if (reasoningText !== "") this.#tell(agentEvent(`${id}:t`, "thinking", at, reasoningText, {}, details), sink);
    if (content !== "") this.#tell(agentEvent(`${id}:a`, "assistant_message", at, content, {}, details), sink);
    for (const { toolCallId, name, arguments: input } of toolRequests) {
      const call = { id: toolCallId, name, input: toolInput(input) };
      this.#tell(agentEvent(`${id}:c${toolCallId}`, "tool_call", at, name, call, details), sink);
    }
  }

  #tell(event: TranscriptEvent, sink: TranscriptSink): void {
    if (this.#purpose === "events") sink.event(event);
  }
}

function attached(attachments: Line["data"]["attachments"] = []): EventDetails {
  const images = attachments.flatMap(({ path }) =>
    path !== undefined && /\.(?:png|jpe?g|gif|webp)$/i.test(path) ? [linkedImage(path)] : [],
  );
  return images.length > 0 ? { images } : {};
}

/** The agent's own instructions: long, and nothing of them is told. */
const SYSTEM = Buffer.from('{"type":"system.message"');

const count = z.number().min(0).optional();
const lines = z.int().min(0).max(1_000_000_000);
const word = z.string().max(200).nullish().catch(undefined);
const Line = z.object({
  id: z.string(),
  type: z.string(),
  timestamp: z.unknown().optional(),
  data: z.object({
    selectedModel: z.string().optional(),
    reasoningEffort: word,
    context: z.object({ branch: word }).optional().catch(undefined),
    codeChanges: z.object({ linesAdded: lines, linesRemoved: lines }).optional().catch(undefined),
    content: z.string().optional().catch(undefined),
    reasoningText: z.string().optional().catch(undefined),
    message: z.string().optional().catch(undefined),
    reason: z.string().optional().catch(undefined),
    toolCallId: z.string().optional(),
    apiCallId: z.string().optional().catch(undefined),
    model: z.string().optional().catch(undefined),
    attachments: z
      .array(z.object({ path: z.string().max(4096).optional().catch(undefined) }))
      .optional()
      .catch(undefined),
    shellExecution: z
      .object({ exitCode: z.int().optional().catch(undefined) })
      .optional()
      .catch(undefined),
    success: z.boolean().optional(),
    result: z.object({ content: z.string().optional() }).optional().catch(undefined),
    error: z.object({ message: z.string().optional() }).optional().catch(undefined),
    toolRequests: z
      .array(z.object({ toolCallId: z.string(), name: z.string(), arguments: z.unknown().optional() }))
      .optional()
      .catch(undefined),
    usage: z
      .object({
        model: z.string().optional(),
        inputTokens: count,
        outputTokens: count,
        cacheReadTokens: count,
        cacheWriteTokens: count,
        apiCallId: z.string().optional(),
      })
      .optional(),
  }),
});
type Line = z.infer<typeof Line>;
