import type { AgentEvent } from "../../../core/protocol/agent-records.ts";
import { isRecord } from "../../../core/protocol/json-value.ts";
import type { Question, QuestionOption, QuestionReceipt } from "../../../core/protocol/questions.ts";

/** An answer that was typed into an agent's dialog. */
export interface TypedAnswer {
  /** When its key was typed, in ms since the epoch. */
  readonly at: number;
  readonly label: string;
  /** Whether the tool runs because of it; undefined where the option's words do not say. */
  readonly allows: boolean | undefined;
  /** The command or the file that the question is about, where its agent has told. */
  readonly subject: string | undefined;
}

type Verdict = { readonly state: QuestionReceipt["state"]; readonly evidence: string };

const KEPT_EVENTS = 400;
const ALLOWS = /^(yes|allow|approve|accept|proceed|run|always)\b/i;
const REFUSES = /^(no|don.?t|do not|deny|reject|cancel|decline|abort|stop)\b/i;

/** Returns what an option means by its words; for a choice between things they mean neither. */
export function typedAnswer({ kind, detail }: Question, { label }: QuestionOption, at: number): TypedAnswer {
  const isChoice = kind !== "permission" && kind !== "plan";
  const allows = isChoice ? undefined : ALLOWS.test(label) || (REFUSES.test(label) ? false : undefined);
  return { at, label, allows, subject: detail.command ?? detail.files?.[0] };
}

/** What an agent has recorded of its tool calls, the latest of them. */
export class CallRecord {
  #events: readonly AgentEvent[] = [];

  add(events: readonly AgentEvent[]): void {
    const calls = events.filter(({ type }) => type === "tool_call" || type === "tool_result");
    this.#events = [...this.#events, ...calls].slice(-KEPT_EVENTS);
  }

  /** Whether a tool's result since a time contains a text. */
  hasResult(text: string, since: number): boolean {
    return this.#results().some((result) => Date.parse(result.at) >= since && result.text.includes(text));
  }

  /**
   * Tells what became of an answer, by the result of the call that it was for: the one about the question's subject, or the
   * only one that was open when the key was typed. Undefined where the record does not tell, or not yet.
   */
  verdict({ at, label, allows, subject }: TypedAnswer): Verdict | undefined {
    const results = this.#results();
    const open = this.#events.filter((call) => {
      if (call.type !== "tool_call" || Date.parse(call.at) > at) return false;
      const ended = results.find(({ data }) => data.id === call.data.id);
      return (ended === undefined || Date.parse(ended.at) >= at) && (subject === undefined || isAbout(call, subject));
    });
    const [call, ...others] = open;
    if (call === undefined || others.length > 0) return undefined;
    const result = results.find(({ data }) => data.id === call.data.id);
    if (result === undefined) return undefined;
    const { refused } = result.data;
    if (allows === undefined) {
      return result.text.includes(label)
        ? { state: "confirmed", evidence: "the call's result in the agent's transcript contains the answer" }
        : undefined;
    }
    if (typeof refused !== "boolean") return undefined;
    return {
      state: refused === allows ? "overruled" : "confirmed",
      evidence: `the agent's transcript says that the call ${refused ? "was refused" : "ran"}`,
    };
  }

  #results(): AgentEvent[] {
    return this.#events.filter(({ type }) => type === "tool_result");
  }
}

/** Whether a word of a call's input is the subject: agents name their parameters in their own ways. */
function isAbout({ data }: AgentEvent, subject: string): boolean {
  const { input } = data;
  return isRecord(input) ? Object.values(input).includes(subject) : input === subject;
}
