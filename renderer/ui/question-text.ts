import {
  ASKING_PROGRAM,
  answerText,
  optionDigits,
  type Question,
  type QuestionOption,
  type QuestionPart,
} from "../../core/protocol/questions.ts";
import { words } from "./words.ts";

/**
 * What became of a question, in one sentence; the kind names its colour and is never the only sign. None has the colour of
 * what waits: an answered question waits for nobody.
 */
interface QuestionOutcome {
  readonly kind: "good" | "bad" | "info";
  readonly sentence: string;
}

/** Returns the option that a digit chooses. */
export function optionOfDigit<Option extends Pick<QuestionOption, "key">>(
  options: readonly Option[],
  digit: string,
): Option | undefined {
  return digit === "" ? undefined : options[optionDigits(options).indexOf(digit)];
}

/** `Medium risk: uses the network, outside the folder`. */
export function describeRisk({ level, reasons }: Question["risk"]): string {
  const risk = words.question.risk[level];
  return reasons.length === 0 ? risk : words.question.riskBecause(risk, describeReasons(reasons));
}

/** Lists the reasons of a risk in the language of the page. */
export function describeReasons(reasons: readonly string[]): string {
  return reasons.map((reason) => words.question.relayText(reason)).join(", ");
}

/** Returns the label of an option in the language of the page; one that an agent has made stays as it is. */
export function optionLabel({ kind, source }: Pick<Question, "kind" | "source">, label: string): string {
  const isByAgent = source === "screen" || (kind === "choice" && source !== "governor");
  return isByAgent ? label : words.question.relayText(label);
}

/**
 * Returns what a question asks, in one line or two, and whether its agent asks it. A spent budget is the relay's question:
 * its text says what was spent and what is held until the answer.
 */
export function askedIn({ source, title, text }: Pick<Question, "source" | "title" | "text">): {
  readonly asked: string;
  readonly byAgent: boolean;
} {
  return source === "governor" ? { asked: text, byAgent: false } : { asked: title, byAgent: true };
}

/** Returns who asks: the kind of an agent, or that it is a program. */
export function askerOf({ agentType }: Pick<Question, "agentType">): string {
  return agentType === ASKING_PROGRAM ? words.question.program : agentType;
}

/** Whether a question has a risk to speak of: a choice or an answer in words does nothing by itself. */
export function isRisky({ kind, risk }: Pick<Question, "kind" | "risk">): boolean {
  return risk.level !== "low" || (kind !== "choice" && kind !== "text");
}

/** Returns a title without the part that a detail beside it says in full: `Bash` of `Bash: npm run…`. */
export function titleBeside(title: string, detail: string): string {
  const [, tool, subject] = /^([^:]+): (.+?)…?$/.exec(title) ?? [];
  const isSaid = subject !== undefined && detail.replace(/\s+/g, " ").trim().startsWith(subject);
  return isSaid && tool !== undefined ? tool : title;
}

/** Returns the name of a button that opens a part of a question, or all of them, with the number of lines if it has several. */
export function showAll(part: QuestionPart | undefined, lines: number): string {
  const what = part === undefined ? words.question.wholeQuestion : words.question.whole[part];
  return lines === 1 ? what : words.question.withLines(what, lines);
}

/** Returns the name of a button that opens a part of which only `shown` is there. */
export function showRest(part: QuestionPart, text: string, shown: string): string {
  const what = words.question.whole[part];
  const lines = countLines(text) - countLines(shown);
  if (lines > 0) return words.question.withMoreLines(what, lines);
  return words.question.withMoreCharacters(what, text.length - shown.length);
}

export function countLines(text: string): number {
  return text.split("\n").length;
}

/** Says how a question stands after an answer, or why it closed without one; undefined while it is open. */
export function outcomeOf(question: Question): QuestionOutcome | undefined {
  const { state, receipt, closedBecause } = question;
  if (state === "open") return undefined;
  if (state !== "answered") return { kind: "info", sentence: closedSentence(state, closedBecause) };
  const given = answerSentence(question);
  const said = words.question.receipt;
  const evidence = words.question.relayText(receipt?.evidence ?? "");
  switch (receipt?.state) {
    case undefined:
      return { kind: "info", sentence: given };
    case "pending":
      return { kind: "info", sentence: said.pending(given) };
    case "confirmed":
      return { kind: "good", sentence: said.confirmed(given, evidence) };
    case "unconfirmed":
      return { kind: "info", sentence: said.unconfirmed(given, evidence) };
    case "overruled":
      return { kind: "bad", sentence: said.overruled(given, evidence) };
    case "abandoned":
      return { kind: "bad", sentence: said.abandoned(given, evidence) };
  }
}

function closedSentence(state: "withdrawn" | "expired", reason: string | null): string {
  if (reason === null) return words.question[state];
  const said = words.question.relayText(reason);
  return state === "withdrawn" ? words.question.withdrawnBecause(said) : words.question.expiredBecause(said);
}

/** `Answered by ann: Yes, this once.`, or `Answered in the terminal.` where the choice is not known. */
function answerSentence(question: Question): string {
  const { answer, answeredBy } = question;
  const said = answerText(question);
  const isOwn = answer?.option == null && answer?.text != null;
  const what = said === undefined ? said : isOwn ? words.question.quoted(said) : optionLabel(question, said);
  if (answeredBy === null || answeredBy.kind === "terminal")
    return what === undefined ? words.question.answeredInTerminal : words.question.answeredInTerminalWith(what);
  const { name } = answeredBy;
  return what === undefined ? words.question.answered(name) : words.question.answeredWith(name, what);
}
