import type { CommandMark } from "./marks/command-tracker.ts";
import type { TextRun } from "./plain-text.ts";

/** A line that was typed while no shell integration could mark its echo. */
export interface TypedLine {
  readonly text: string;
  /** End of the output when the line was typed: its echo comes after. */
  readonly offset: number;
  readonly at: number;
}

/** How long to wait for the rest of a partial echo before it counts as output. */
const ECHO_MS = 500;

/**
 * Returns the text outside command lines being edited: marks tell where those begin (end of the prompt) and end (next
 * mark). Runs and marks are in the order of the output.
 */
export function withoutEditedLines(runs: readonly TextRun[], marks: readonly CommandMark[]): TextRun[] {
  const edited = marks.flatMap(({ kind, end }, index) =>
    kind === "prompt-end" ? [{ from: end, to: marks[index + 1]?.offset ?? Infinity }] : [],
  );
  let next = 0;
  return runs.flatMap((run) => {
    const end = endOf(run);
    while ((edited[next]?.to ?? Infinity) <= run.offset) next++;
    const pieces = [run];
    for (let index = next; ; index++) {
      const range = edited[index];
      if (range === undefined || range.from >= end) return pieces;
      // What is before a range is before all that follow, too.
      const rest = pieces.pop();
      if (rest !== undefined) pieces.push(...cutOut(rest, range.from, range.to));
    }
  });
}

/** Removes the echo of typed lines from text: for each line, its first occurrence after it was typed. */
export class TypedEcho {
  readonly #lines: () => readonly TypedLine[];
  readonly #since: number;
  readonly #seen = new Set<TypedLine>();

  constructor(lines: () => readonly TypedLine[], since: number) {
    this.#lines = lines;
    this.#since = since;
  }

  remove(runs: readonly TextRun[]): TextRun[] {
    let left = [...runs];
    for (const line of this.#outstanding()) {
      const run = left.find(({ text, offset }) => text.includes(line.text) && endOf({ text, offset }) > line.offset);
      if (run === undefined) continue;
      this.#seen.add(line);
      const from = run.offset + Buffer.byteLength(run.text.slice(0, run.text.indexOf(line.text)));
      const to = from + Buffer.byteLength(line.text);
      left = left.flatMap((each) => (each === run ? cutOut(each, from, to) : [each]));
    }
    return left;
  }

  /** Number of characters at the end of the text that may be the beginning of an echo. */
  openingLength(text: string): number {
    const now = performance.now();
    const lengths = this.#outstanding()
      .filter((line) => now - line.at < ECHO_MS)
      .map((line) => longestOpening(text, line.text));
    return Math.max(0, ...lengths);
  }

  #outstanding(): TypedLine[] {
    return this.#lines().filter((line) => line.offset >= this.#since && !this.#seen.has(line));
  }
}

/**
 * Returns the length of the longest end of the text with which the line begins and goes on, in linear time (Knuth, Morris and
 * Pratt).
 */
function longestOpening(text: string, line: string): number {
  const longest = line.length - 1;
  if (longest <= 0) return 0;
  /** For the opening of each length, the length of the longest shorter one with which it ends. */
  const shorter = new Uint32Array(longest + 1);
  /** Returns the length of the opening with which what was read ends, one character on. */
  const readOn = (length: number, character: string | undefined) => {
    let fits = length;
    while (fits > 0 && (fits === longest || line[fits] !== character)) fits = shorter[fits] ?? 0;
    return line[fits] === character ? fits + 1 : 0;
  };
  let length = 0;
  for (let end = 2; end <= longest; end++) shorter[end] = length = readOn(length, line[end - 1]);
  length = 0;
  for (let at = Math.max(0, text.length - longest); at < text.length; at++) length = readOn(length, text[at]);
  return length;
}

function cutOut(run: TextRun, from: number, to: number): TextRun[] {
  const end = endOf(run);
  if (to <= run.offset || from >= end) return [run];
  const bytes = Buffer.from(run.text);
  const before = { text: bytes.toString("utf8", 0, Math.max(0, from - run.offset)), offset: run.offset };
  const after = to < end ? { text: bytes.toString("utf8", to - run.offset), offset: to } : undefined;
  return [before, after].filter((piece): piece is TextRun => piece !== undefined && piece.text !== "");
}

function endOf({ text, offset }: TextRun): number {
  return offset + Buffer.byteLength(text);
}
