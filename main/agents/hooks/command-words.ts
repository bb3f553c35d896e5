/** A word of a command line, as far as white space ends it. */
export interface CommandWord {
  readonly text: string;
  /** Number of its line, from 0 on, and where it begins there. */
  readonly line: number;
  readonly column: number;
  /** No word stands before it in its line. */
  readonly isFirst: boolean;
  /** What can be the name of a program in it: each part after a separator, as far as it is a name. */
  readonly heads: readonly string[];
  /** The part after its last separator. */
  readonly last: string;
}

/** What ends a line for a command's reader. */
export const LINES = /[\n\r\u2028\u2029]/;
const SEPARATORS = /[;&|(`"'/]/;

/** Splits a command line into its words, once for all that compares them. Quotes do not join words. */
export function wordsOf(command: string): readonly CommandWord[] {
  return command.split(LINES).flatMap((line, number) =>
    [...line.matchAll(/\S+/g)].map(({ 0: text, index }, place) => {
      const parts = text.split(SEPARATORS);
      const heads = parts.map((part) => /^[\w-]*/.exec(part)?.[0] ?? "");
      return { text, line: number, column: index, isFirst: place === 0, heads, last: parts.at(-1) ?? "" };
    }),
  );
}
