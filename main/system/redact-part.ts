import { runAtOnce, type Steps } from "./in-turns.ts";
import { drawnIn, HIDDEN, NOT_DRAWN, redactOutput, redactSecrets } from "./redact-secrets.ts";

/** Characters beside a part of a text in which a secret may stand that goes on in the part: more than the longest one has. */
export const BESIDE = 20 * 1024;
/** Characters of a long text that are looked through at once. */
const PIECE = 64 * 1024;
/** Longest secret of one line. */
const LONGEST_IN_LINE = 4096;
/** Last characters of prompts and questions, after which a person types: no secret goes on there. */
const PROMPT_ENDS = "$#%>?:)]";

/** Longest end of a cut text: `… [12345 characters cut]`. */
const LONGEST_CUT_MARK = 40;
/** Shortest word before it that is hidden: the words of people are shorter, and less of a secret tells little. */
const SHORTEST_CUT = 12;

/** A part of a longer text. */
interface Surroundings {
  /** The text before the part, or as much of it as is known. */
  readonly before?: string;
  readonly after?: string;
  /** Text before `before` is not known: the first line may begin within a secret. */
  readonly isBegun?: boolean;
  /** Text after `after` is not known or still to come: the last word may be the beginning of a secret. */
  readonly goesOn?: boolean;
}

/** Hides secrets in a text, which may have been printed with colours. Its length stays. */
export function hideSecrets(text: string): string {
  return text.includes("\x1b") ? redactOutput(text).text : redactSecrets(text);
}

/**
 * Hides secrets in a text that may have been cut to what is shown of it, which ends with an ellipsis, and perhaps with how
 * much is missing: a long word before that may be the beginning of a secret.
 */
export function hideSecretsInCut(text: string): string {
  const shown = hideSecrets(text);
  const cut = shown.lastIndexOf("…");
  if (cut < 0 || shown.length - cut > LONGEST_CUT_MARK) return shown;
  const beginning = shown.slice(0, cut).trimEnd();
  const word = beginning.slice(-SHORTEST_CUT);
  if (word.length < SHORTEST_CUT || [...word].some(isBlank)) return shown;
  return withoutLastWord(beginning) + shown.slice(beginning.length);
}

/**
 * Hides secrets as `hide` does, in pieces of a long text between which others have their turn. Each piece is judged with what
 * stands beside it.
 */
export function* hideInPieces(text: string, hide: (text: string) => string): Steps<string> {
  if (text.length <= PIECE) return hide(text);
  let shown = "";
  for (let at = 0; at < text.length; at += PIECE) {
    const from = Math.max(0, at - BESIDE);
    const piece = hide(text.slice(from, at + PIECE + BESIDE));
    shown += piece.slice(at - from, at - from + PIECE);
    yield;
  }
  return shown;
}

/** Hides secrets in a part of a text, also those that begin before the part or end after it. Its length stays. */
export function redactPart(part: string, surroundings: Surroundings): string {
  return runAtOnce(redactPartInSteps(part, surroundings));
}

/** As `redactPart`, for a part that may be long. */
export function* redactPartInSteps(
  part: string,
  { before = "", after = "", isBegun = false, goesOn = false }: Surroundings,
): Steps<string> {
  let shown = yield* hideInPieces(before + part + after, hideSecrets);
  if (isBegun) shown = withoutFirstLine(shown);
  if (goesOn) shown = withoutLastWord(shown);
  return shown.slice(before.length, before.length + part.length);
}

/** Hides the characters of a first line whose beginning is not known. */
export function withoutFirstLine(text: string): string {
  const lineEnd = text.indexOf("\n");
  const end = Math.min(lineEnd < 0 ? text.length : lineEnd, LONGEST_IN_LINE);
  return hiddenWithin(text, 0, end);
}

/** Hides a last word that nothing follows yet. */
export function withoutLastWord(text: string): string {
  const from = Math.max(0, text.length - LONGEST_IN_LINE);
  const end = drawnIn(text.slice(from));
  let [start, last] = [end.length, ""];
  for (let at = end.length - 1; at >= 0; at--) {
    const character = end[at] ?? "";
    if (character === NOT_DRAWN) continue;
    if (isBlank(character)) break;
    if (last === "") last = character;
    start = at;
  }
  return last === "" || PROMPT_ENDS.includes(last) ? text : hiddenWithin(text, from + start, text.length);
}

/** Hides all characters of a part but blanks and what is not drawn. */
function hiddenWithin(text: string, from: number, to: number): string {
  const part = text.slice(from, to);
  const drawn = drawnIn(part);
  let hidden = "";
  for (let at = 0; at < part.length; at++) {
    const character = drawn[at] ?? "";
    hidden += character === NOT_DRAWN || isBlank(character) ? part[at] : HIDDEN;
  }
  return text.slice(0, from) + hidden + text.slice(to);
}

function isBlank(character: string): boolean {
  return character.trim() === "";
}
