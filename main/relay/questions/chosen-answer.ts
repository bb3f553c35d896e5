import { RemoteError } from "../../../core/protocol/errors.ts";
import {
  type GivenAnswer,
  OWN_WORDS,
  optionDigits,
  type Question,
  type QuestionAnswer,
  type QuestionChoice,
  type QuestionOption,
  questionLimits,
} from "../../../core/protocol/questions.ts";

/**
 * Returns the answer that a caller means: options by their ids, keys or labels.
 *
 * @throws RemoteError `invalid_params` for anything but exactly one known option, one text where texts are accepted, or an
 * answer for each choice
 */
export function chosenAnswer(question: Question, { option, text, answers }: GivenAnswer): QuestionAnswer {
  if ([option, text, answers].filter((given) => given !== undefined).length !== 1) {
    throw new RemoteError("invalid_params", "params: expected exactly one of option, text and answers.");
  }
  const { choices } = question;
  if (choices !== undefined || answers !== undefined) {
    if (choices === undefined)
      throw new RemoteError("invalid_params", `answers: this question takes ${known(question)}.`);
    if (answers?.length !== choices.length) {
      const count = choices.length === 1 ? "one answer, whose options are joined by +" : `${choices.length} answers`;
      throw new RemoteError("invalid_params", `answers: expected ${count}, one for each of the question's choices.`);
    }
    return {
      option: null,
      text: null,
      answers: choices.map((choice, place) => answerOf(choice, answers[place] ?? "")),
    };
  }
  if (text !== undefined) {
    if (!question.acceptsText) throw new RemoteError("invalid_params", `text: this question takes ${known(question)}.`);
    if (text.length > questionLimits.answer) {
      throw new RemoteError("invalid_params", `text: expected at most ${questionLimits.answer} characters.`);
    }
    return { option: null, text };
  }
  const found = optionOf(question.options, option ?? "", "option");
  if (found !== undefined) return { option: found.id, text: null };
  throw new RemoteError(
    "invalid_params",
    `option: expected ${known(question)}, got ${JSON.stringify(option?.slice(0, 60))}.`,
  );
}

/**
 * Returns the option with an id, or else the only one that has the words as its id, key, label or digit in any case.
 *
 * @throws RemoteError `invalid_params` where several have
 */
function optionOf(options: readonly QuestionOption[], given: string, param: string): QuestionOption | undefined {
  const exact = options.find(({ id }) => id === given);
  if (exact !== undefined) return exact;
  const wanted = given.toLowerCase();
  const digits = optionDigits(options);
  const found = options.filter(({ id, key, label }, place) =>
    [id, key, label, digits[place]].some((name) => name !== "" && name?.toLowerCase() === wanted),
  );
  if (found.length < 2) return found[0];
  const named = found.map(({ id, label }) => `${id} (${label})`).join(" or ");
  throw new RemoteError(
    "invalid_params",
    `${param}: ${JSON.stringify(given.slice(0, 60))} may mean ${named}: give the id of one.`,
  );
}

type ChoiceAnswer = NonNullable<QuestionAnswer["answers"]>[number];

/**
 * Numbers name options by their ids, whatever their labels are, and what follows `=` is a text, whatever it says: a form
 * sends nothing else.
 *
 * @throws RemoteError `invalid_params`
 */
function answerOf({ question, options, multiple, acceptsText }: QuestionChoice, given: string): ChoiceAnswer {
  if (acceptsText && given.startsWith(OWN_WORDS)) return { options: [], text: given.slice(OWN_WORDS.length) };
  const ids = [...new Set(given.split("+"))];
  const isKnown = ids.every((id) => options.some((option) => option.id === id));
  if (isKnown && (multiple || ids.length === 1)) return { options: ids, text: null };
  const whole = optionOf(options, given, "answers");
  if (whole !== undefined) return { options: [whole.id], text: null };
  const parts = multiple ? given.split("+").flatMap((part) => optionOf(options, part.trim(), "answers") ?? []) : [];
  if (parts.length === given.split("+").length) {
    return { options: [...new Set(parts.map(({ id }) => id))], text: null };
  }
  if (acceptsText) return { options: [], text: given };
  const offered = options.map(({ id, label }) => `${id} (${label})`).join(", ");
  throw new RemoteError(
    "invalid_params",
    `answers: expected ${multiple ? "some" : "one"} of ${offered} for ${JSON.stringify(question)}, got ${JSON.stringify(given.slice(0, 60))}.`,
  );
}

function known({ options }: Question): string {
  if (options.length === 0) return "no option, because its options are not known: answer in its terminal";
  return `one of ${options.map(({ id, label }) => `${id} (${label})`).join(", ")}`;
}
