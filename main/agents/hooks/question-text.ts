import {
  type Question,
  type QuestionAnswer,
  type QuestionOption,
  questionLimits,
} from "../../../core/protocol/questions.ts";
import { firstUnits } from "../../../core/protocol/shown-line.ts";
import { asSeen } from "../../../core/protocol/shown-name.ts";
import { oneLine } from "../program-status.ts";

/** Returns text as one line of at most `most` UTF-16 units; one that was cut ends with an ellipsis, after a whole character. */
export function line(text: string, most: number): string {
  const plain = oneLine(text.slice(0, most * 2));
  return plain.length > most || text.length > most * 2 ? `${firstUnits(plain, most - 1)}…` : plain;
}

/**
 * Characters that join others, or choose how one is drawn, where scripts and emoji are written so. Elsewhere, and one after
 * another, they show nothing.
 */
const JOINED =
  /(?<=[\p{Lo}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])(?:(?<![\ufe0e\ufe0f])[\ufe0e\ufe0f]|[\u200c\u200d](?=[\p{Lo}\p{M}\p{Extended_Pictographic}]))|\ufe0f(?=\u20e3)/gu;

/** Whether a text has characters that act on the terminal, or show nothing. Those that join others are no such. */
export function hides(text: string): boolean {
  const plain = text.replace(JOINED, "");
  return /[^\P{Cc}\n\t\r]|\r(?!\n)|[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(plain);
}

/** Other spaces than the plain one look like it, and are a part of a word for every shell: they hide what a name is. */
export function hasOtherSpaces(text: string): boolean {
  return /[^\P{Z} ]/u.test(text);
}

/**
 * Whether a question can offer the options with these labels. With too many of them, one that does not fit, or two that look
 * the same as they are shown, the question is left to the agent's terminal: none is left out or cut, and none is taken for
 * another.
 */
export function canOffer(labels: readonly string[]): boolean {
  return (
    labels.length <= questionLimits.options &&
    labels.every(fitsLabel) &&
    new Set(labels.map(labelAsSeen)).size === labels.length
  );
}

/** Whether a label says all that its option does: one that is cut, or has characters that show nothing, may allow more. */
function fitsLabel(label: string): boolean {
  return label.length <= questionLimits.label && !hides(label);
}

/** Whether the label of a lasting permission shows it to the letter: what it allows from then on is asked no more. */
export function fitsGrant(label: string): boolean {
  return fitsLabel(label) && !hasOtherSpaces(label) && !/[\r\n\t]/.test(label);
}

/** Returns a command line whose arguments a reader can tell apart. */
export function commandLine(words: readonly string[]): string {
  const isPlain = (word: string) => /^[\w@%+=:,./-]+$/.test(word);
  return words.map((word) => (isPlain(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}

/** Returns what a reader can tell of a label as it is shown. */
export function labelAsSeen(label: string): string {
  return asSeen(line(label, questionLimits.label));
}

/** Returns options that are chosen by their numbers, from 1 on. */
export function numberedOptions(labels: readonly string[]): QuestionOption[] {
  return labels.map((label, place) => ({
    id: String(place + 1),
    label: line(label, questionLimits.label),
    key: place < 9 ? String(place + 1) : "",
  }));
}

interface Choice {
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
}

/** A question as an agent asks it beside others, or with several options to choose. */
interface AskedChoice {
  readonly question: string;
  readonly options: Choice["options"];
  readonly multiple: boolean;
  readonly acceptsText: boolean;
}

/** How a question is answered. */
type AnswerForm = Pick<Question, "options" | "choices" | "acceptsText"> & { readonly takesReply: boolean };

/**
 * Returns how questions that an agent asks at once are answered: one with one choice by an option or a text, others together.
 * None takes a reply where not all of them can be offered whole.
 */
export function answerForm(asked: readonly AskedChoice[]): AnswerForm {
  const [first, ...others] = asked;
  const isOffered =
    asked.length <= questionLimits.choices &&
    asked.every(({ options, acceptsText }) => canOffer(labelsOf(options)) && (options.length > 0 || acceptsText)) &&
    new Set(asked.map(({ question }) => labelAsSeen(question))).size === asked.length;
  if (first === undefined || !isOffered) return { options: [], acceptsText: false, takesReply: false };
  if (others.length === 0 && !first.multiple) {
    return { options: numberedOptions(labelsOf(first.options)), acceptsText: first.acceptsText, takesReply: true };
  }
  const choices = asked.map(({ question, options, multiple, acceptsText }) => ({
    question: line(question, questionLimits.text),
    options: numberedOptions(labelsOf(options)).map((option, place) => ({
      ...option,
      description: line(options[place]?.description ?? "", questionLimits.text),
    })),
    multiple,
    acceptsText,
  }));
  return { options: [], choices, acceptsText: false, takesReply: true };
}

/**
 * Returns what was answered to each question of an agent, in the agent's own labels.
 */
export function answersOf(
  { option, text, answers = [{ options: option === null ? [] : [option], text }] }: QuestionAnswer,
  asked: readonly Pick<AskedChoice, "options">[],
): string[][] {
  return asked.map(({ options }, place) => {
    const given = answers[place];
    if (given?.text != null) return [given.text];
    return given?.options.flatMap((id) => options[Number(id) - 1]?.label ?? []) ?? [];
  });
}

function labelsOf(options: Choice["options"]): string[] {
  return options.map(({ label }) => label);
}

/** Returns a question with its options below, one in a line. */
export function describeChoice({ question, options }: Choice): string {
  return [question, ...options.map(({ label, description }) => `- ${label}${description && `: ${description}`}`)].join(
    "\n",
  );
}
