import type { OutputFrame } from "../history/segment.ts";
import { decodeText } from "../plain-text.ts";
import { characterLength, isContinuation } from "../utf8.ts";
import { VtScanner, type VtState } from "../vt-scanner.ts";

/** A document ends with the first line end after so many characters. */
const DOC_LENGTH = 4096;
/** A line that is longer is continued in the next document. */
const LONGEST_DOC = 8192;
/** So much of it is repeated there: no shorter text is cut in two. */
const OVERLAP = 512;

/** A run of text of a shell's output. */
export interface DocText {
  readonly text: string;
  /** Offsets of its first byte and of the byte after its last. */
  readonly starts: number;
  readonly ends: number;
}

interface Run {
  readonly text: string;
  readonly offset: number;
}

/** What prints no text for so long, such as an image, ends the document before it. */
const LONGEST_SEQUENCE = 256 * 1024;

/** Where to go on cutting. */
interface CutterPosition {
  readonly offset: number;
  readonly state: VtState;
}

/** Cuts the text of output into documents for the index: without escape sequences, at line ends where lines are not too long. */
export class DocCutter {
  readonly #take: (doc: DocText) => void;
  readonly #scanner: VtScanner;
  #runs: Run[] = [];
  #length = 0;
  /** Offset of the next byte for the scanner, and bytes of a character that is not whole. */
  #base: number;
  #held: Buffer = Buffer.alloc(0);

  constructor({ offset, state }: CutterPosition, take: (doc: DocText) => void) {
    this.#take = take;
    this.#base = offset;
    this.#scanner = new VtScanner({
      text: (bytes, from, to) => this.#add(decodeText(bytes.subarray(from, to)), this.#base + from),
    });
    this.#scanner.restore(state);
  }

  push(bytes: Buffer): void {
    const all = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    const whole = wholeLength(all);
    this.#scanner.push(all.subarray(0, whole));
    this.#base += whole;
    this.#held = Buffer.from(all.subarray(whole));
    if (this.#length > 0 && this.#base - endOf(this.#runs) > LONGEST_SEQUENCE) this.#cut(this.#length, 0);
  }

  /** Returns what is not cut off yet, which begins a document. */
  get rest(): DocText | undefined {
    return this.#length === 0 ? undefined : docOf(this.#runs);
  }

  /** Where to go on later: at the beginning of the rest, which is no part of an escape sequence. */
  get position(): CutterPosition {
    const [first] = this.#runs;
    if (first === undefined) return { offset: this.#base, state: this.#scanner.save() };
    return { offset: first.offset, state: outsideOfSequences(first.offset) };
  }

  #add(text: string, offset: number): void {
    this.#runs.push({ text, offset });
    this.#length += text.length;
    while (this.#length >= DOC_LENGTH) {
      const end = this.#lineEnd();
      if (end === undefined && this.#length < LONGEST_DOC) return;
      this.#cut(end ?? LONGEST_DOC, end === undefined ? OVERLAP : 0);
    }
  }

  /** Index after the first line end that a document may end with: in the last run, since the others were looked at before. */
  #lineEnd(): number | undefined {
    const text = this.#runs.at(-1)?.text ?? "";
    const before = this.#length - text.length;
    const at = text.indexOf("\n", Math.max(0, DOC_LENGTH - 1 - before));
    return at >= 0 && before + at < LONGEST_DOC ? before + at + 1 : undefined;
  }

  #cut(length: number, overlap: number): void {
    const [doc] = splitRuns(this.#runs, length);
    const [, rest] = splitRuns(this.#runs, length - overlap);
    this.#take(docOf(doc));
    this.#runs = rest;
    this.#length = rest.reduce((sum, { text }) => sum + text.length, 0);
  }
}

/**
 * Splits what a frame has from an offset on, where a second or more passed or the clock was set: a compressed one has the output
 * of hours.
 */
export function* timedPieces(
  { offset, at, times, bytes }: OutputFrame,
  from: number,
): Generator<{ at: number; bytes: Buffer }> {
  let [begin, began] = [from - offset, at];
  for (const [place, later] of times) {
    if (Math.abs(at + later - began) < 1000) continue;
    if (place > begin) yield { at: began, bytes: bytes.subarray(begin, place) };
    begin = Math.max(begin, place);
    began = at + later;
  }
  yield { at: began, bytes: bytes.subarray(begin) };
}

/** The state of a scanner that begins at an offset outside of escape sequences. */
export function outsideOfSequences(offset: number): VtState {
  return { ...new VtScanner().save(), position: offset };
}

/** Number of bytes without a last character that is not whole. */
function wholeLength(bytes: Buffer): number {
  for (let back = 1; back < 4 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (!isContinuation(byte)) return characterLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Splits runs after so many characters, never within one. */
function splitRuns(runs: readonly Run[], length: number): [Run[], Run[]] {
  const before: Run[] = [];
  let left = length;
  for (const [index, run] of runs.entries()) {
    if (run.text.length > left) {
      const at = isLowSurrogate(run.text, left) ? left - 1 : left;
      const head = run.text.slice(0, at);
      if (head !== "") before.push({ text: head, offset: run.offset });
      const tail = { text: run.text.slice(at), offset: run.offset + Buffer.byteLength(head) };
      return [before, [tail, ...runs.slice(index + 1)]];
    }
    before.push(run);
    left -= run.text.length;
  }
  return [before, []];
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code < 0xe000;
}

function docOf(runs: readonly Run[]): DocText {
  return { text: runs.map(({ text }) => text).join(""), starts: runs[0]?.offset ?? 0, ends: endOf(runs) };
}

function endOf(runs: readonly Run[]): number {
  const last = runs.at(-1);
  return last === undefined ? 0 : last.offset + Buffer.byteLength(last.text);
}

/**
 * Returns the text of bytes that begin outside of an escape sequence, and the offset of each of its characters: in linear
 * time for all of them, where they are asked for in their order.
 */
export function textOf(bytes: Buffer, start: number): { text: string; offsetOf: (index: number) => number } {
  const runs: Run[] = [];
  const scanner = new VtScanner({
    text: (piece, from, to) => runs.push({ text: decodeText(piece.subarray(from, to)), offset: start + from }),
  });
  scanner.push(bytes);
  const first = { index: 0, run: 0, begins: 0, offset: runs[0]?.offset ?? start };
  /** The last answer: an index in the text, its run, where that begins in the text, and the index's offset. */
  let last = first;
  return {
    text: runs.map((run) => run.text).join(""),
    offsetOf(index) {
      let { run, begins, offset, index: from } = index < last.index ? first : last;
      for (let text = runs[run]?.text; text !== undefined; text = runs[run]?.text) {
        if (index < begins + text.length) {
          offset += Buffer.byteLength(text.slice(from - begins, index - begins));
          last = { index, run, begins, offset };
          return offset;
        }
        begins += text.length;
        from = begins;
        run += 1;
        offset = runs[run]?.offset ?? 0;
      }
      return start + bytes.length;
    },
  };
}
