import { runInTurns, type Steps } from "../system/in-turns.ts";

/** Most bytes of a character. */
const LONGEST = 4;

/** Whether a byte goes on with a character that another byte began. */
export function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** How many bytes the character has that this byte begins; 1 for what begins none. */
export function characterLength(lead: number): number {
  if (lead >= 0xf0 && lead < 0xf8) return 4;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xc2 && lead < 0xe0 ? 2 : 1;
}

/** Bytes that are decoded in one turn of the event loop. */
const PIECE_BYTES = 64 * 1024;

/**
 * Decodes UTF-8 as `Buffer.toString` does, a piece in a turn of the event loop: 4 MiB at once hold up everything else for 5
 * to 30 ms.
 */
export function decodeInTurns(bytes: Buffer): Promise<string> {
  return runInTurns(decoding(bytes), 0);
}

function* decoding(bytes: Buffer): Steps<string> {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const end = cutBefore(bytes, at + PIECE_BYTES);
    text += bytes.toString("utf8", at, end);
    at = end;
    yield;
  }
  return text;
}

/** Returns the last place up to `end` at which no character is cut in two, and nothing is decoded otherwise than in one. */
function cutBefore(bytes: Buffer, end: number): number {
  for (let at = end; at > end - LONGEST; at -= 1)
    if (!isContinuation(bytes[at] ?? 0)) return Math.min(at, bytes.length);
  // What follows so many belongs to no character.
  return end;
}
