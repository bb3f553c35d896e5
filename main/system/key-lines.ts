/** Shortest run of base64 by which a line may be of a key, wherever the run stands in it. */
const SHORTEST_RUN = 16;
/** The same for a line that stands farther from the others of a key, among what other programs print: few lines are as long. */
const LONG_RUN = 32;
/** Most lines of something else between two lines of a key: the headers of a key, and what another program has printed. */
const MOST_OTHER = 8;
/** A word of base64 beside quotes, separators and edges of a box: the last line of a key may be as short as one. */
export const KEY_WORD = /^[^A-Za-z0-9]{0,4}[A-Za-z0-9+/=]{1,80}[^A-Za-z0-9]{0,8}$/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Kinds of characters of base64. */
const DIGIT = 1;
const UPPER = 2;
const LOWER = 4;
const ALL_KINDS = DIGIT | UPPER | LOWER;
const SIGN = 8;

/**
 * Returns how much of a text is of a private key whose last line is not in it. What stands in the line of its first one may be
 * all of it, with line ends as `\n`. Of the lines that follow, each one that may be of a key is, until too many others came.
 *
 * @param text what follows the first line of the key, from the same line on
 * @param prefix what stands before it in that line: a log has as many words before each line of the key
 */
export function keyLengthIn(text: string, prefix: string): number {
  const wordsBefore = wordsOf(prefix).length;
  let end = lineEndOf(text, 0);
  let others = 0;
  for (let at = end; at < text.length && others <= MOST_OTHER; ) {
    const next = lineEndOf(text, at + 1);
    const line = text.slice(at + 1, next);
    // A last line, a checksum, and the lines of a key that is folded to a few characters follow on another one of the key.
    if (hasRun(line) || (others === 0 && isKeyWord(line, wordsBefore))) {
      end = next;
      others = 0;
    } else if (LETTER_OR_DIGIT.test(line)) others += 1;
    at = next;
  }
  return end;
}

/** A line of a text, by its place. */
interface KeyLine {
  readonly from: number;
  readonly to: number;
}

/** Returns the lines of a text that are of a key, wherever the others of the key stand. */
export function longKeyLines(text: string): KeyLine[] {
  const lines: KeyLine[] = [];
  for (let from = 0, to = 0; from < text.length; from = to + 1) {
    to = lineEndOf(text, from);
    if (hasRun(text.slice(from, to), LONG_RUN)) lines.push({ from, to });
  }
  return lines;
}

function lineEndOf(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** Returns whether a line has a run of base64 with digits and letters of both cases, as nearly each part of a key is. */
function hasRun(line: string, shortest = SHORTEST_RUN): boolean {
  let [length, kinds] = [0, 0];
  for (let at = 0; at < line.length; at++) {
    const kind = kindOf(line.charCodeAt(at));
    length = kind === 0 ? 0 : length + 1;
    kinds = kind === 0 ? 0 : kinds | kind;
    if (length >= shortest && (kinds & ALL_KINDS) === ALL_KINDS) return true;
  }
  return false;
}

function kindOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return DIGIT;
  if (code >= 0x41 && code <= 0x5a) return UPPER;
  if (code >= 0x61 && code <= 0x7a) return LOWER;
  const isSign = code === 0x2b || code === 0x2f || code === 0x3d;
  return isSign ? SIGN : 0;
}

/** Returns whether a line is one word of base64, by itself or after so many words of a log. */
function isKeyWord(line: string, wordsBefore: number): boolean {
  const words = wordsOf(line.replaceAll("\\n", "").replaceAll("\\r", ""));
  return [0, wordsBefore].some((from) => KEY_WORD.test(words.slice(from).join(" ")));
}

function wordsOf(line: string): string[] {
  return line.split(/\s/).filter((word) => word !== "");
}
