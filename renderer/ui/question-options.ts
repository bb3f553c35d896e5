import { optionDigits, type Question, type QuestionOption } from "../../core/protocol/questions.ts";
import { optionLabel } from "./question-text.ts";

/** An option with the digit that chooses it; "" where it has none. */
interface NumberedOption extends QuestionOption {
  readonly digit: string;
}

/** The options of a question: one that goes on, those that do not, and those that hold for more than this question. */
interface SortedOptions {
  readonly primary: NumberedOption | undefined;
  readonly others: readonly NumberedOption[];
  /** Stand apart, because they outlast the question. */
  readonly persistent: readonly NumberedOption[];
}

const PERSISTENT_ID = /^(always|never)\b|^yes-accept-edits$/;
/** Labels by which options count whose ids say nothing, such as those that were read from a screen. */
const PERSISTENT_LABEL = /\b(always|never|don['’]t ask|do(es)? not ask|without asking|for (the|this) session)\b/i;
const NO = /^(no|deny|reject|refuse|cancel|stop|keep)\b/i;

/**
 * Sorts the options of a question by what they lead to. A choice has no primary option: the user's is as good as the
 * agent's. An option that is not understood is never primary.
 */
export function sortOptions(question: Pick<Question, "kind" | "source" | "options">): SortedOptions {
  const digits = optionDigits(question.options);
  const all = question.options.map((option, index) => ({ ...option, digit: digits[index] ?? "" }));
  if (question.kind === "choice" && question.source !== "governor" && question.source !== "screen")
    return { primary: undefined, others: all, persistent: [] };
  const isPersistent = ({ id, label }: NumberedOption) =>
    PERSISTENT_ID.test(id) || PERSISTENT_LABEL.test(label) || (question.source === "governor" && id === "run");
  const once = all.filter((option) => !isPersistent(option));
  const [first] = once;
  const primary = first === undefined || NO.test(first.label) ? undefined : first;
  // Last: the words by which options are sorted are English.
  const labelled = (option: NumberedOption) => ({ ...option, label: optionLabel(question, option.label) });
  return {
    primary: primary === undefined ? undefined : labelled(primary),
    others: once.filter((option) => option !== primary).map(labelled),
    persistent: all.filter(isPersistent).map(labelled),
  };
}
