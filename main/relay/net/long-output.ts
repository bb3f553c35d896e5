import { randomUUID } from "node:crypto";
import { setImmediate as immediate } from "node:timers/promises";

/** Characters of a long text that are encoded in one turn of the event loop: about half a millisecond. */
const PIECE = 64 * 1024;

/** A message with a long output in its result. */
export interface LongOutput {
  readonly output: string;
  /** The message with another text in the output's place. */
  replaced(place: string): object;
}

/** Returns the message if it has an `output` of more than 64 Ki characters below this property. */
export function findLongOutput(message: unknown, property: "result" | "value"): LongOutput | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const result: unknown = property in message ? Reflect.get(message, property) : undefined;
  if (typeof result !== "object" || result === null || !("output" in result)) return undefined;
  const { output } = result;
  if (typeof output !== "string" || output.length <= PIECE) return undefined;
  return { output, replaced: (place) => ({ ...message, [property]: { ...result, output: place } }) };
}

/**
 * Encodes a message as JSON, a piece of its output in each turn of the event loop: encoded at once, 4 MiB hold up everything
 * else for tens of milliseconds. All messages share the turns.
 *
 * @returns the pieces of the JSON; undefined once `isOver` says that they are no longer wanted
 */
export async function encodeInPieces(
  { output, replaced }: LongOutput,
  isOver: () => boolean,
): Promise<Buffer[] | undefined> {
  const place = randomUUID();
  const [before = "", after = ""] = JSON.stringify(replaced(place)).split(place);
  const pieces = [Buffer.from(before)];
  for (let at = 0; at < output.length; ) {
    const end = at + PIECE - (isHighSurrogate(output.charCodeAt(at + PIECE - 1)) ? 1 : 0);
    pieces.push(Buffer.from(JSON.stringify(output.slice(at, end)).slice(1, -1)));
    at = end;
    await pieceTurn();
    if (isOver()) return undefined;
  }
  pieces.push(Buffer.from(after));
  return pieces;
}

let lastPiece: Promise<unknown> = Promise.resolve();

/** Resolves in a later turn of the event loop, in which no other message has a piece encoded. */
function pieceTurn(): Promise<unknown> {
  lastPiece = lastPiece.then(() => immediate());
  return lastPiece;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
