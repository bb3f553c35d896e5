import { runAtOnce, type Steps } from "../system/in-turns.ts";
import { characterLength, isContinuation } from "./utf8.ts";
import { VtScanner } from "./vt-scanner.ts";

/** A run of text and the byte offset it came from. Its UTF-8 form has exactly as many bytes as it took in the output. */
export interface TextRun {
  readonly text: string;
  readonly offset: number;
}

/** Stands for a byte that is no UTF-8: one byte long itself, so that positions stay true. */
const SUBSTITUTE = "\u001a";

/** Bytes, and characters of a line, that are converted in one step. */
const PIECE_BYTES = 8 * 1024;

/** A newline with the returns before it. Looks back, so that the time is linear in the number of returns. */
const LINE_END = /(?<!\r)\r*\n/;

/**
 * Reads the text runs of output piece by piece: no escape sequences, no bells. Pieces begin and end on a boundary (see
 * OutputLog.read), which may be within a string that is too long to be held together, such as an image.
 */
export class TextRuns {
  #scanner: VtScanner | undefined;
  #end = 0;
  #offset = 0;
  #runs: TextRun[] = [];

  /** A piece that does not begin where the last one ended is read for itself. */
  read(bytes: Buffer, offset: number): TextRun[] {
    if (this.#scanner === undefined || offset !== this.#end) this.#scanner = this.#newScanner();
    this.#runs = [];
    this.#offset = offset;
    this.#end = offset + bytes.length;
    this.#scanner.push(bytes);
    return this.#runs;
  }

  #newScanner(): VtScanner {
    return new VtScanner({
      text: (piece, from, to) =>
        this.#runs.push({ text: decodeText(piece.subarray(from, to)), offset: this.#offset + from }),
    });
  }
}

/** Output as a person would copy it (see `plainTextSteps`), at once. */
export function plainText(bytes: Buffer): string {
  return runAtOnce(plainTextSteps(bytes));
}

/**
 * Output as a person would copy it: no escape sequences, `\r\n` as `\n`, backspaces applied, and a carriage return
 * inside a line starts that line anew, as progress bars mean it.
 */
export function* plainTextSteps(bytes: Buffer): Steps<string> {
  const lines: string[] = [];
  let text = "";
  let open = "";
  const scanner = new VtScanner({
    text(piece, from, to) {
      text += decodeText(piece.subarray(from, to));
    },
  });
  for (const piece of piecesOf(bytes)) {
    text = "";
    scanner.push(piece);
    const end = text.lastIndexOf("\n") + 1;
    const ended = end === 0 ? [] : (open + text.slice(0, end)).split(LINE_END).slice(0, -1);
    open = end === 0 ? open + text : text.slice(end);
    for (const line of ended) lines.push(yield* plainLine(line));
    yield;
  }
  lines.push(yield* plainLine(open));
  return lines.join("\n");
}

/** Cuts bytes into pieces, between characters also where they are no UTF-8. */
export function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; ) {
    let to = Math.min(from + PIECE_BYTES, bytes.length);
    // A character has at most three bytes after its first.
    for (let more = 0; more < 3 && to < bytes.length && isContinuation(bytes[to] ?? 0); more++) to++;
    yield bytes.subarray(from, to);
    from = to;
  }
}

function* plainLine(line: string): Steps<string> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to resolve
  if (!/[\u0000-\u0008\u000b-\u001f\u007f]/.test(line)) return line;
  const cells: string[] = [];
  let column = 0;
  let count = 0;
  for (const character of line) {
    if (++count % PIECE_BYTES === 0) yield;
    const code = character.codePointAt(0) ?? 0;
    if (character === "\r") column = 0;
    else if (character === "\b") column = Math.max(0, column - 1);
    else if ((code >= 0x20 && code !== 0x7f) || character === "\t") cells[column++] = character;
    else if (character === SUBSTITUTE) cells[column++] = "\ufffd";
  }
  // What was overwritten with blanks is not there to be copied.
  return cells.join("").trimEnd();
}

/** Text of the very same length in bytes: what is no UTF-8 becomes a substitute (U+001A), byte by byte. */
export function decodeText(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return Buffer.byteLength(text) === bytes.length && !text.includes("\ufffd") ? text : decodeDamaged(bytes);
}

function decodeDamaged(bytes: Buffer): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    const piece = bytes.subarray(at, at + characterLength(lead));
    const character = lead < 0x80 || piece.length > 1 ? piece.toString("utf8") : "\ufffd";
    const isWhole = Buffer.byteLength(character) === piece.length && piece.equals(Buffer.from(character));
    text += isWhole ? character : SUBSTITUTE;
    at += isWhole ? piece.length : 1;
  }
  return text;
}
