import { VtScanner } from "./vt-scanner.ts";

/** A run of text and the byte offset it came from. Its UTF-8 form has exactly as many bytes as it took in the output. */
export interface TextRun {
  readonly text: string;
  readonly offset: number;
}

/** Stands for a byte that is no UTF-8: one byte long itself, so that positions stay true. */
const SUBSTITUTE = "\u001a";

/** The text runs of bytes that begin and end on a boundary (see OutputLog.read): no escape sequences, no bells. */
export function textRuns(bytes: Buffer, offset: number): TextRun[] {
  const runs: TextRun[] = [];
  const scanner = new VtScanner({
    text: (piece, from, to) => runs.push({ text: decodeText(piece.subarray(from, to)), offset: offset + from }),
  });
  scanner.push(bytes);
  return runs;
}

/**
 * Output as a person would copy it: no escape sequences, `\r\n` as `\n`, backspaces applied, and a carriage return
 * inside a line starts that line anew, as progress bars mean it.
 */
export function plainText(bytes: Buffer): string {
  const text = textRuns(bytes, 0)
    .map((run) => run.text)
    .join("");
  return text
    .split(/\r*\n/)
    .map((line) => plainLine(line))
    .join("\n");
}

function plainLine(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to resolve
  if (!/[\u0000-\u0008\u000b-\u001f\u007f]/.test(line)) return line;
  const cells: string[] = [];
  let column = 0;
  for (const character of line) {
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
    const character = [1, 2, 3, 4]
      .map((length) => bytes.subarray(at, at + length))
      .find((piece) => Buffer.from(piece.toString("utf8")).equals(piece));
    text += character?.toString("utf8") ?? SUBSTITUTE;
    at += character?.length ?? 1;
  }
  return text;
}
