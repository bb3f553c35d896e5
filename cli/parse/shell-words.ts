import { usageError } from "./exit-codes.ts";

/**
 * Splits a command line into words as a POSIX shell does, quotes and backslashes included. Nothing is expanded, and
 * operators such as `|` are words like others. Throws a usage error for an open quote and for a line without a word.
 */
export function shellWords(line: string, what: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    const next = line.charAt(at + 1);
    if (quote === "'") {
      if (character === "'") quote = "";
      else word += character;
    } else if (character === "\\" && next !== "" && (quote === "" || '"\\$`\n'.includes(next))) {
      // A backslash before a newline joins the lines.
      word = (word ?? "") + (next === "\n" ? "" : next);
      at += 1;
    } else if (quote === '"') {
      if (character === '"') quote = "";
      else word += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= "";
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + character;
  }
  if (quote !== "") throw usageError(`${what}: the ${quote} is not closed in ${JSON.stringify(line.slice(0, 60))}.`);
  if (word !== undefined) words.push(word);
  if (words.length === 0) throw usageError(`${what}: expected a program, got an empty line.`);
  return words;
}
