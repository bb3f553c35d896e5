import { AcpLine } from "../../system/acp-record.ts";
import type { ParsePurpose, TranscriptEvent, TranscriptParser, TranscriptSink } from "./adapter.ts";
import { agentEvent, TranscriptClock, toolInput } from "./event-parts.ts";

/** The records of `patchbay acp`: what the agent was asked, what it has told of itself, and the end of each turn. */
export class AcpParser implements TranscriptParser {
  readonly #purpose: ParsePurpose;
  readonly #clock = new TranscriptClock();
  #model = "";
  #countsContext = false;
  /** What the session has cost by the agent's own account, now and at the end of the last turn that was counted; in US dollars. */
  #cost = 0;
  #counted = 0;
  #turns = 0;

  constructor(purpose: ParsePurpose) {
    this.#purpose = purpose;
  }

  matters(): "yes" {
    return "yes";
  }

  record(value: unknown, subagent: boolean, sink: TranscriptSink): void {
    const { data: line } = AcpLine.safeParse(value);
    if (line === undefined) {
      sink.skip("not a record of this agent");
      return;
    }
    const at = this.#clock.at(line.at);
    const details = { answer: `turn ${this.#turns}`, ...(this.#model !== "" && { model: this.#model }) };
    switch (line.type) {
      case "user":
        this.#tell(agentEvent(line.id, "user_message", at, line.text), sink);
        sink.status("working", at, "prompt sent");
        return;
      case "assistant":
        this.#tell(agentEvent(line.id, "assistant_message", at, line.text, {}, details), sink);
        return;
      case "thinking":
        this.#tell(agentEvent(line.id, "thinking", at, line.text, {}, details), sink);
        return;
      case "tool": {
        const data = { id: line.call ?? "", name: line.text, input: toolInput(line.input) };
        this.#tell(agentEvent(line.id, "tool_call", at, line.text, data, details), sink);
        return;
      }
      case "result": {
        const data = { id: line.call ?? "", isError: line.failed === true };
        this.#tell(agentEvent(line.id, "tool_result", at, line.text, data), sink);
        return;
      }
      case "error":
        this.#tell(agentEvent(line.id, "error", at, line.text), sink);
        sink.status("error", at, line.text);
        return;
      case "model":
        this.#model = line.text;
        sink.model(line.text);
        return;
      case "usage":
        this.#usage(line, sink);
        return;
      case "turn":
        this.#turn(line, at, subagent, sink);
    }
  }

  #usage({ used, size, cost }: AcpLine, sink: TranscriptSink): void {
    if (used !== undefined) {
      this.#countsContext = true;
      sink.context({ used, ...(size !== undefined && { size }) });
    }
    if (cost === undefined) return;
    this.#cost = cost;
    sink.reported(cost);
  }

  /**
   * A turn counts as one call of each model: the protocol tells no single ones. Some agents tell the tokens of the last one
   * alone, but what all of them cost, which then counts if they are of one model.
   */
  #turn({ id, text, calls = [] }: AcpLine, at: string, subagent: boolean, sink: TranscriptSink): void {
    if (text === "cancelled") this.#tell(agentEvent(id, "interrupted", at, ""), sink);
    sink.status("idle", at, text === "cancelled" ? "interrupted" : "turn ended");
    // The sum of a turn says nothing about the fill of the context.
    if (!this.#countsContext) sink.context(undefined);
    const ownCost = calls.length === 1 ? this.#cost - this.#counted : 0;
    if (calls.some(({ tokens }) => tokens.output > 0)) this.#counted = this.#cost;
    for (const [place, { model, tokens }] of calls.entries()) {
      const name = model || this.#model || "unknown";
      sink.call({
        id: `${id}:${place}`,
        answer: `turn ${this.#turns}`,
        model: name,
        at,
        subagent,
        tokens: { ...tokens, cacheWrite1h: 0 },
        ...(ownCost > 0 && { ownCost, isSeveral: true }),
      });
    }
    this.#turns += 1;
  }

  #tell(event: TranscriptEvent, sink: TranscriptSink): void {
    if (this.#purpose === "events") sink.event(event);
  }
}
