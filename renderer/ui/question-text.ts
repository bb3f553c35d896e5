import type { Question, QuestionOption } from "../../core/protocol/questions.ts";

/** What became of a question, in one sentence; the kind names its colour and is never the only sign. */
export interface QuestionOutcome {
  readonly kind: "good" | "bad" | "wait" | "info";
  readonly sentence: string;
}

/**
 * The digits that choose the options, in their order: those that the agent's own list has, else the positions 1 to 9. ""
 * where an option has none.
 */
export function optionDigits(options: readonly Pick<QuestionOption, "key">[]): readonly string[] {
  const numbered = options.every(({ key }) => /^\d$/.test(key));
  return options.map(({ key }, index) => (numbered ? key : index < 9 ? String(index + 1) : ""));
}

/** Returns the option that a digit chooses. */
export function optionOfDigit<Option extends Pick<QuestionOption, "key">>(
  options: readonly Option[],
  digit: string,
): Option | undefined {
  return digit === "" ? undefined : options[optionDigits(options).indexOf(digit)];
}

/** `medium risk: uses the network, outside the folder`. */
export function describeRisk({ level, reasons }: Question["risk"]): string {
  return `${level} risk${reasons.length === 0 ? "" : `: ${reasons.join(", ")}`}`;
}

/** Says how a question stands after an answer, or why it closed without one; undefined while it is open. */
export function outcomeOf(question: Question): QuestionOutcome | undefined {
  const { state, receipt, closedBecause } = question;
  if (state === "open") return undefined;
  if (state !== "answered") {
    const reason = closedBecause === null ? "" : `: ${closedBecause}`;
    return { kind: "info", sentence: `${state === "withdrawn" ? "Withdrawn" : "Expired"}${reason}.` };
  }
  const given = `Answered ${describeAnswer(question)}`;
  switch (receipt?.state) {
    case undefined:
      return { kind: "info", sentence: `${given}.` };
    case "pending":
      return { kind: "info", sentence: `${given}. Waiting for proof that the agent took it.` };
    case "confirmed":
      return { kind: "good", sentence: `${given}. Confirmed: ${receipt.evidence}.` };
    case "unconfirmed":
      return { kind: "wait", sentence: `${given}. Not confirmed: ${receipt.evidence}. Look at its terminal.` };
    case "overruled":
      return { kind: "bad", sentence: `${given}. Overruled: ${receipt.evidence}.` };
    case "abandoned":
      return { kind: "bad", sentence: `${given}. The agent ended first: ${receipt.evidence}.` };
  }
}

/** `by ann: Yes, this once`, or `in the terminal` where the choice is not known. */
function describeAnswer({ answer, answeredBy, options }: Question): string {
  const where = answeredBy === null || answeredBy.kind === "terminal" ? "in the terminal" : `by ${answeredBy.name}`;
  const label = options.find(({ id }) => id === answer?.option)?.label ?? answer?.option;
  const what = label ?? (answer?.text == null ? undefined : `“${answer.text}”`);
  return what === undefined ? where : `${where}: ${what}`;
}
