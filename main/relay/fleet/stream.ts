import { Duplex } from "node:stream";
import { type DecodedFrame, PIECE_BYTES, type UnnumberedFrame } from "./wire.ts";

/** Bytes that one end may send before the other has passed them on. A reader that stops holds no more than this anywhere. */
const WINDOW_BYTES = 1024 * 1024;
/** An end tells what it has passed on in steps of this size, so that a stream of small events sends no frames back. */
const CREDIT_STEP_BYTES = WINDOW_BYTES / 4;
/** A request that takes longer is reported as being worked on. */
export const FIRST_ALIVE_MS = 250;
/** Each end says this often that it is there. */
export const ALIVE_EVERY_MS = 5_000;
/** An end that has said nothing for so long is gone. */
export const SILENT_MS = 15_000;

/** The two relays of a stream no longer hear each other, or a message between them was lost. */
class StreamLost extends Error {
  override readonly name = "StreamLost";
}

/** One end of a stream of bytes between two relays. Reading and writing follow the pace of the other end. */
export class FleetStream extends Duplex {
  readonly #send: (frame: UnnumberedFrame, body?: Buffer) => void;
  readonly #alive: NodeJS.Timeout;
  readonly #arrived: Buffer[] = [];
  #mayPush = false;
  #otherEnded = false;
  #passedOn = 0;
  #credit = WINDOW_BYTES;
  #owed = 0;
  #waiting: (() => void) | undefined;
  #heardAt = performance.now();

  /** `send` sends a frame to the other end. */
  constructor(send: (frame: UnnumberedFrame, body?: Buffer) => void) {
    super({ allowHalfOpen: true, readableHighWaterMark: PIECE_BYTES, writableHighWaterMark: PIECE_BYTES });
    this.#send = send;
    this.#alive = setInterval(() => this.#checkAlive(), ALIVE_EVERY_MS);
    this.#alive.unref();
  }

  /** Takes a frame of the other end, whose order and proof were checked. */
  receive({ frame, body }: Pick<DecodedFrame, "frame" | "body">): void {
    this.#heardAt = performance.now();
    switch (frame.kind) {
      case "data":
        this.#receiveData(body);
        break;
      case "credit":
        this.#credit = Math.min(WINDOW_BYTES, this.#credit + frame.bytes);
        this.#waiting?.();
        break;
      case "end":
        this.#otherEnded = true;
        this.#pushArrived();
        break;
      case "reset":
        this.destroy();
        break;
      default:
    }
  }

  override _read(): void {
    this.#mayPush = true;
    this.#pushArrived();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#sendAll(chunk, done);
  }

  /** What was written meanwhile goes in one piece, because each has a price of its own. */
  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#sendAll(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  #sendAll(bytes: Buffer, done: (error?: Error | null) => void): void {
    let rest = bytes;
    const sendOn = () => {
      this.#waiting = undefined;
      while (rest.length > 0 && this.#credit > 0) {
        const piece = rest.subarray(0, Math.min(PIECE_BYTES, this.#credit));
        this.#credit -= piece.length;
        rest = rest.subarray(piece.length);
        this.#send({ kind: "data" }, piece);
      }
      if (rest.length === 0) done();
      else this.#waiting = sendOn;
    };
    sendOn();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#send({ kind: "end" });
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearInterval(this.#alive);
    this.#waiting = undefined;
    if (!(this.writableFinished && this.readableEnded)) this.#send({ kind: "reset" });
    done(error);
  }

  #receiveData(body: Buffer): void {
    this.#owed += body.length;
    // The other end sends no more than it was allowed to.
    if (this.#otherEnded || this.#owed > WINDOW_BYTES) {
      this.destroy(new StreamLost("the other relay sent more than its window"));
      return;
    }
    this.#arrived.push(body);
    this.#pushArrived();
  }

  #pushArrived(): void {
    while (this.#mayPush) {
      const next = this.#arrived.shift();
      if (next === undefined) break;
      this.#passedOn += next.length;
      this.#mayPush = this.push(next);
    }
    if (this.#passedOn >= CREDIT_STEP_BYTES) {
      this.#send({ kind: "credit", bytes: this.#passedOn });
      this.#owed -= this.#passedOn;
      this.#passedOn = 0;
    }
    if (this.#otherEnded && this.#arrived.length === 0 && !this.readableEnded) {
      this.#mayPush = false;
      this.push(null);
    }
  }

  #checkAlive(): void {
    if (performance.now() - this.#heardAt > SILENT_MS) this.destroy(new StreamLost("the other relay is silent"));
    else this.#send({ kind: "alive" });
  }
}
