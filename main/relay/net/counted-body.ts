import { Readable } from "node:stream";

/** The body of an answer that knows how much of it was not given to the connection yet. */
export abstract class CountedBody extends Readable {
  /** Bytes, or about as many characters. */
  abstract get unsent(): number;
}
