import { RemoteError } from "../../../core/protocol/errors.ts";
import { type Question, type QuestionAnswer, questionLimits } from "../../../core/protocol/questions.ts";

/** An answer as a caller gives it: one of the options, or a text. */
export interface GivenAnswer {
  readonly option?: string | undefined;
  readonly text?: string | undefined;
  /** The caller has looked at the screen that the question shows. */
  readonly confirmScreen?: boolean | undefined;
  /** Digest of the question as the caller was shown it. */
  readonly digest?: string | undefined;
}

/**
 * Returns the answer that a caller means: an option by its id, its key or its label.
 *
 * @throws RemoteError `invalid_params` for anything but exactly one known option or one text where texts are accepted
 */
export function chosenAnswer(question: Question, { option, text }: GivenAnswer): QuestionAnswer {
  if ((option === undefined) === (text === undefined)) {
    throw new RemoteError("invalid_params", "params: expected exactly one of option and text.");
  }
  if (text !== undefined) {
    if (!question.acceptsText) throw new RemoteError("invalid_params", `text: this question takes ${known(question)}.`);
    if (text.length > questionLimits.answer) {
      throw new RemoteError("invalid_params", `text: expected at most ${questionLimits.answer} characters.`);
    }
    return { option: null, text };
  }
  const wanted = option?.toLowerCase() ?? "";
  const { options } = question;
  const found =
    options.find(({ id }) => id === option) ??
    options.find(({ id, key }) => id.toLowerCase() === wanted || key.toLowerCase() === wanted) ??
    options.find(({ label }) => label.toLowerCase() === wanted);
  if (found !== undefined) return { option: found.id, text: null };
  throw new RemoteError(
    "invalid_params",
    `option: expected ${known(question)}, got ${JSON.stringify(option?.slice(0, 60))}.`,
  );
}

function known({ options }: Question): string {
  if (options.length === 0) return "no option, because its options are not known: answer in its terminal";
  return `one of ${options.map(({ id, label }) => `${id} (${label})`).join(", ")}`;
}
