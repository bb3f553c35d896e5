import { setImmediate as immediate } from "node:timers/promises";
import type { CommandMark } from "./marks/command-tracker.ts";
import type { OutputLog } from "./output-log.ts";
import { type TextRun, TextRuns } from "./plain-text.ts";
import type { TextPattern } from "./text-pattern.ts";
import { TypedEcho, type TypedLine, withoutEditedLines } from "./typed-echo.ts";

interface SearchSource {
  readonly log: OutputLog;
  readonly typedLines: readonly TypedLine[];
  readonly tracker: { readonly marks: readonly CommandMark[] };
}

export interface FoundText {
  readonly matched: string;
  /** Byte offsets of the first byte of the match and of the byte after it. */
  readonly offset: number;
  readonly end: number;
}

/** Maximum length of a match, approximately: this much text is kept to be matched together with what follows. */
const WINDOW_CHARACTERS = 32 * 1024;
const READ_BYTES = 64 * 1024;

/** Matches a pattern against output without escape sequences as it arrives, and returns the byte offsets of matches. */
export class TextSearch {
  readonly #source: SearchSource;
  readonly #pattern: TextPattern;
  readonly #typed: TypedEcho | undefined;
  readonly #reader = new TextRuns();
  #runs: TextRun[] = [];
  #cursor: number;
  #heldBack = 0;

  constructor(source: SearchSource, from: { since: number; skipEcho: boolean }, pattern: TextPattern) {
    this.#source = source;
    this.#pattern = pattern;
    this.#typed = from.skipEcho ? new TypedEcho(() => source.typedLines, from.since) : undefined;
    this.#cursor = from.since;
  }

  /** Whether there is output that has not been searched. */
  get isBehind(): boolean {
    return this.#cursor < this.#source.log.safeEnd;
  }

  /** Whether the end of the text was not searched, because it may be the beginning of an echo. */
  get holdsBack(): boolean {
    return this.#heldBack > 0;
  }

  /** Resolves to the first match in the output that has not been searched before. Not to be called while one is under way. */
  async next(): Promise<FoundText | undefined> {
    for (;;) {
      const read = this.#source.log.read({ since: this.#cursor, maxBytes: READ_BYTES });
      if (read.missed > 0) this.#runs = [];
      this.#cursor = read.end;
      for (const run of this.#withoutEditing(this.#reader.read(read.bytes, read.offset))) this.#append(run);
      const found = await this.#match();
      if (found !== undefined || read.bytes.length === 0) return found;
      this.#trim();
      // A search in much output takes turns with everything else.
      if (read.bytes.length > READ_BYTES / 2) await immediate();
    }
  }

  #withoutEditing(runs: TextRun[]): TextRun[] {
    return this.#typed === undefined ? runs : withoutEditedLines(runs, this.#source.tracker.marks);
  }

  /** Adjacent runs are joined, so that an echo split in two is found. */
  #append(run: TextRun): void {
    const last = this.#runs.at(-1);
    if (last !== undefined && last.offset + Buffer.byteLength(last.text) === run.offset) {
      this.#runs[this.#runs.length - 1] = { text: last.text + run.text, offset: last.offset };
    } else {
      this.#runs.push(run);
    }
  }

  async #match(): Promise<FoundText | undefined> {
    if (this.#typed !== undefined) this.#runs = this.#typed.remove(this.#runs);
    const all = this.#runs.map((run) => run.text).join("");
    this.#heldBack = this.#typed?.openingLength(all) ?? 0;
    const text = all.slice(0, all.length - this.#heldBack);
    if (text === "") return undefined;
    const match = await this.#pattern.find(text.replace(/(?<!\r)\r+\n/g, "\n"));
    if (match === null) return undefined;
    const offset = this.#offsetOf(withReturns(text, match.index));
    const last = withReturns(text, match.index + match.text.length - 1);
    return { matched: match.text, offset, end: match.text === "" ? offset : this.#offsetOf(last + 1) };
  }

  /** The byte offset of a position between characters; between two runs, the end of the first. */
  #offsetOf(place: number): number {
    let before = 0;
    for (const { text, offset } of this.#runs) {
      if (place <= before + text.length) return offset + Buffer.byteLength(text.slice(0, place - before));
      before += text.length;
    }
    return this.#cursor;
  }

  /** Number of characters in whole lines, but for those that an echo may begin in. */
  #searchedLines(): number {
    const all = this.#runs.map((run) => run.text).join("");
    return all.slice(0, all.length - this.#heldBack).lastIndexOf("\n") + 1;
  }

  #trim(): void {
    const length = this.#runs.reduce((sum, run) => sum + run.text.length, 0);
    let surplus = Math.max(length - WINDOW_CHARACTERS, this.#pattern.inLine ? this.#searchedLines() : 0);
    if (surplus <= 0) return;
    const first = this.#runs.findIndex(({ text }) => {
      if (text.length > surplus) return true;
      surplus -= text.length;
      return false;
    });
    const [cut, ...others] = first < 0 ? [] : this.#runs.slice(first);
    if (cut === undefined) return;
    const offset = cut.offset + Buffer.byteLength(cut.text.slice(0, surplus));
    this.#runs = [{ text: cut.text.slice(surplus), offset }, ...others];
  }
}

/** Maps a position in the text without returns before newlines to the position in the original text. */
function withReturns(text: string, place: number): number {
  let removed = 0;
  for (const match of text.matchAll(/(?<!\r)\r+(?=\n)/g)) {
    if (place < match.index - removed) break;
    removed += match[0].length;
  }
  return place + removed;
}
