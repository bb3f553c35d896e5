import { z } from "zod";
import type {
  EventDetails,
  ParsePurpose,
  TranscriptEvent,
  TranscriptNote,
  TranscriptParser,
  TranscriptSink,
} from "./adapter.ts";
import { agentEvent, storedImage, TranscriptClock, tell, textOf, toolInput } from "./event-parts.ts";
import { isMaker } from "./opencode-records.ts";

/** pi's records: a tree of entries, each with an id, of which the messages of the model have the tokens of one API call. */
export class PiParser implements TranscriptParser {
  readonly #purpose: ParsePurpose;
  readonly #clock = new TranscriptClock();

  constructor(purpose: ParsePurpose) {
    this.#purpose = purpose;
  }

  matters(): "yes" {
    return "yes";
  }

  record(value: unknown, _subagent: boolean, sink: TranscriptSink): void {
    const { data: line } = Line.safeParse(value);
    if (line === undefined) {
      sink.skip("not a record of this agent");
      return;
    }
    const at = this.#clock.at(line.timestamp);
    const { id = "" } = line;
    const emit = (type: (TranscriptEvent | TranscriptNote)["type"], text: string, details: EventDetails = {}) =>
      this.#tell(agentEvent(id, type, at, text, {}, details), sink);
    switch (line.type) {
      case "message":
        if (line.message !== undefined) this.#message(id, at, line.message, sink);
        return;
      case "model_change":
        if (line.modelId !== undefined) sink.model(line.modelId);
        return;
      case "thinking_level_change":
        if (this.#purpose === "events" && line.thinkingLevel !== undefined) sink.facts({ effort: line.thinkingLevel });
        return;
      case "compaction":
        // Clears the fill of the context for both purposes.
        tell(sink, agentEvent(id, "compacted", at, line.summary ?? ""));
        return;
      case "branch_summary":
        emit("note", line.summary ?? "", { kind: "summary" });
        return;
      case "custom_message":
        emit("note", textOf(line.content), { role: "user" });
    }
  }

  #message(id: string, at: string, message: Message, sink: TranscriptSink): void {
    const text = textOf(message.content);
    const blocks = Blocks.safeParse(message.content).data ?? [];
    const images = blocks.flatMap(({ type, data = "", mimeType }) =>
      type === "image" ? [storedImage(mimeType, data)] : [],
    );
    const shown = images.length > 0 && { images };
    switch (message.role) {
      case "user":
        this.#tell(agentEvent(id, "user_message", at, text, {}, { ...shown }), sink);
        sink.status("working", at, "prompt sent");
        return;
      case "assistant":
        this.#answer(id, at, message, blocks, sink);
        return;
      case "toolResult": {
        const result = { id: message.toolCallId ?? "", isError: message.isError === true };
        this.#tell(agentEvent(id, "tool_result", at, text, result, { ...shown }), sink);
        sink.status("working", at, "a tool has run");
        return;
      }
      case "bashExecution": {
        const { command = "", output = "", exitCode } = message;
        this.#tell(agentEvent(id, "note", at, command, {}, { kind: "command", role: "user" }), sink);
        const details = { kind: "output", ...(exitCode != null && { exitCode }) } as const;
        this.#tell(agentEvent(`${id}:o`, "note", at, output, {}, details), sink);
      }
    }
  }

  #answer(id: string, at: string, message: Message, blocks: z.infer<typeof Blocks>, sink: TranscriptSink): void {
    const { model = "unknown", provider, usage, stopReason, errorMessage } = message;
    const of = { answer: id, model };
    for (const [
      place,
      { type, text = "", thinking = "", id: call = "", name = "", arguments: input },
    ] of blocks.entries()) {
      const part = `${id}:${place}`;
      if (type === "text" && text !== "") this.#tell(agentEvent(part, "assistant_message", at, text, {}, of), sink);
      if (type === "thinking" && thinking !== "") this.#tell(agentEvent(part, "thinking", at, thinking, {}, of), sink);
      if (type !== "toolCall") continue;
      this.#tell(agentEvent(part, "tool_call", at, name, { id: call, name, input: toolInput(input) }, of), sink);
    }
    if (usage !== undefined && usage.input + usage.output + usage.cacheRead + usage.cacheWrite > 0) {
      const { input, output, cacheRead: cached, cacheWrite, cost } = usage;
      const tokens = { input, output, cached, cacheWrite, cacheWrite1h: 0 };
      const ownCost = cost?.total !== undefined && cost.total > 0 && { ownCost: cost.total };
      sink.call({ id, model, at, subagent: false, tokens, ...(isMaker(provider) && { provider }), ...ownCost });
    }
    switch (stopReason) {
      case "toolUse":
        sink.status("working", at, "a tool is called");
        return;
      case "aborted":
        this.#tell(agentEvent(`${id}:i`, "interrupted", at, ""), sink);
        sink.status("idle", at, "interrupted");
        return;
      case "error":
        this.#tell(agentEvent(`${id}:e`, "error", at, errorMessage ?? ""), sink);
        sink.status("error", at, errorMessage ?? "");
        return;
      default:
        sink.status("idle", at, "answer ended");
    }
  }

  #tell(told: TranscriptEvent | TranscriptNote, sink: TranscriptSink): void {
    if (this.#purpose === "events") tell(sink, told);
  }
}

const count = z.number().min(0);
const word = z.string().optional().catch(undefined);
const Blocks = z.array(
  z.object({
    type: z.string(),
    text: word,
    thinking: word,
    data: word,
    mimeType: z.string().max(200).optional().catch(undefined),
    id: word,
    name: word,
    arguments: z.unknown().optional(),
  }),
);
const Message = z.object({
  role: z.string(),
  content: z.unknown().optional(),
  model: word,
  provider: word,
  usage: z
    .object({
      input: count,
      output: count,
      cacheRead: count,
      cacheWrite: count,
      cost: z.object({ total: count }).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  stopReason: word,
  errorMessage: word,
  toolCallId: word,
  isError: z.boolean().optional().catch(undefined),
  command: word,
  output: word,
  exitCode: z.int().nullish().catch(undefined),
});
type Message = z.infer<typeof Message>;
const Line = z.object({
  type: z.string(),
  id: word,
  timestamp: z.unknown().optional(),
  message: Message.optional().catch(undefined),
  modelId: word,
  thinkingLevel: z.string().max(200).optional().catch(undefined),
  summary: word,
  content: z.unknown().optional(),
});
