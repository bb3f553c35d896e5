import { z } from "zod";
import type { RecordedRefusal } from "../../../core/protocol/agent-hooks.ts";
import type { AgentEvent } from "../../../core/protocol/agent-records.ts";
import { isRecord, type JsonValue } from "../../../core/protocol/json-value.ts";
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

  /**
   * Tells whether the result of the call that a refusal was for has its words. Claude Code marks a hook's refusal as such in
   * newer versions only; in older ones the result is an error that consists of the words alone, as no failed tool's is.
   */
  hasRefusal({ text, subject }: RecordedRefusal, at: number): boolean {
    const result = this.#resultOf(at, subject);
    if (result === undefined) return false;
    const [told, words] = [result.text.trim(), text.trim()];
    if (result.data.refused === true) return `\n${told}\n`.includes(`\n${words}\n`);
    return result.data.isError === true && told === words;
  }

  /** Tells what became of an answer, by the result of its call. Undefined where the record does not tell, or not yet. */
  verdict({ at, label, allows, subject }: TypedAnswer): Verdict | undefined {
    const result = this.#resultOf(at, subject);
    if (result === undefined) return undefined;
    const { refused } = result.data;
    if (allows === undefined) {
      return refused !== true && isAnsweredWith(result.text, label)
        ? { state: "confirmed", evidence: "the call's result in the agent's transcript contains the answer" }
        : undefined;
    }
    if (typeof refused !== "boolean") return undefined;
    return {
      state: refused === allows ? "overruled" : "confirmed",
      evidence: `the agent's transcript says that the call ${refused ? "was refused" : "ran"}`,
    };
  }

  /**
   * Returns the result of the call that was answered at a time: the one about the question's subject, or the only one that was
   * open then. Undefined where that is not certain, or while it has none.
   */
  #resultOf(at: number, subject: string | undefined): AgentEvent | undefined {
    const results = this.#events.filter(({ type }) => type === "tool_result");
    const open = this.#events.filter((call) => {
      if (call.type !== "tool_call" || Date.parse(call.at) > at) return false;
      const ended = results.find(({ data }) => data.id === call.data.id);
      return (ended === undefined || Date.parse(ended.at) >= at) && (subject === undefined || isAbout(call, subject));
    });
    const [call, ...others] = open;
    return call === undefined || others.length > 0 ? undefined : results.find(({ data }) => data.id === call.data.id);
  }
}

const Answers = z.object({ answers: z.json() });

/**
 * Tells whether a result gives a label as the answer, not as a word of the question: Claude Code and opencode write
 * `"question"="answer"`, Codex and Gemini CLI JSON or lines, Qwen Code and Copilot lines that end with it.
 */
function isAnsweredWith(result: string, label: string): boolean {
  const lines = result.split("\n").map((line) => line.trim());
  const isLine = lines.some((line) => line === label || LEADS.some((lead) => line.endsWith(`${lead}${label}`)));
  return result.includes(`"="${label}"`) || isLine || answersIn(result).includes(label);
}

/** Signs before an answer in a line. */
const LEADS = [": ", "→ "];

/** Returns the texts in the answers of a result that is JSON. */
function answersIn(result: string): readonly string[] {
  try {
    return textsIn(Answers.parse(JSON.parse(result)).answers);
  } catch {
    return [];
  }
}

function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Whether a word of a call's input is the subject: agents name their parameters in their own ways. */
function isAbout({ data }: AgentEvent, subject: string): boolean {
  const { input } = data;
  return isRecord(input) ? Object.values(input).includes(subject) : input === subject;
}
