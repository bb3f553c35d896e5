import { randomUUID } from "node:crypto";
import { setImmediate as immediate } from "node:timers/promises";
import { CountedBody } from "./counted-body.ts";

/** Characters of a long text that are encoded in one turn of the event loop: about a tenth of a millisecond. */
const PIECE = 16 * 1024;

/** A message with a long output in its result. */
export interface LongOutput {
  readonly output: string;
  /** The message with another text in the output's place. */
  replaced(place: string): object;
}

/** Returns the message if it has an `output` of more than 16 Ki characters below this property. */
export function findLongOutput(message: unknown, property: "result" | "value"): LongOutput | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const result: unknown = property in message ? Reflect.get(message, property) : undefined;
  if (typeof result !== "object" || result === null || !("output" in result)) return undefined;
  const { output } = result;
  if (typeof output !== "string" || output.length <= PIECE) return undefined;
  return { output, replaced: (place) => ({ ...message, [property]: { ...result, output: place } }) };
}

/**
 * Encodes a message as JSON and yields a piece of it in each turn of the event loop: encoded at once, 4 MiB hold up
 * everything else for tens of milliseconds. In a turn no two messages have a piece encoded.
 */
export async function* encodeInPieces({ output, replaced }: LongOutput): AsyncGenerator<Buffer> {
  const place = randomUUID();
  const [before = "", after = ""] = JSON.stringify(replaced(place)).split(place);
  yield Buffer.from(before);
  for (let at = 0; at < output.length; ) {
    const end = at + PIECE - (isHighSurrogate(output.charCodeAt(at + PIECE - 1)) ? 1 : 0);
    yield Buffer.from(JSON.stringify(output.slice(at, end)).slice(1, -1));
    at = end;
    await pieceTurn();
  }
  yield Buffer.from(after);
}

/**
 * The body of a long answer, encoded as the system takes it, a piece in a turn of the event loop: encoded ahead, the
 * answers of a caller that has many under way would fill the relay's memory.
 */
export class BodyInPieces extends CountedBody {
  readonly #pieces: AsyncGenerator<Buffer>;
  #unsent: number;

  constructor(message: LongOutput) {
    super({ highWaterMark: 1 });
    this.#pieces = encodeInPieces(message);
    this.#unsent = message.output.length;
  }

  /** Characters of the output that were not encoded yet, within one piece. */
  override get unsent(): number {
    return this.#unsent;
  }

  override _read(): void {
    void this.#pieces.next().then(({ value, done }) => {
      this.#unsent = Math.max(0, this.#unsent - PIECE);
      this.push(done ? null : value);
    });
  }
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
