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
 * mark).
 */
export function withoutEditedLines(runs: readonly TextRun[], marks: readonly CommandMark[]): TextRun[] {
  let left = [...runs];
  for (const [index, mark] of marks.entries()) {
    if (mark.kind !== "prompt-end") continue;
    const to = marks[index + 1]?.offset ?? Infinity;
    left = left.flatMap((run) => cutOut(run, mark.end, to));
  }
  return left;
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

function longestOpening(text: string, line: string): number {
  for (let length = Math.min(line.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(line.slice(0, length))) return length;
  }
  return 0;
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
