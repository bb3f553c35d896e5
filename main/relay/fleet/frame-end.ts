import { type DecodedFrame, decodeFrame, encodeFrame, type FrameContext, type UnnumberedFrame } from "./wire.ts";

interface FrameEndOptions {
  readonly id: string;
  /** Direction in which this end sends. */
  readonly direction: FrameContext["direction"];
  /** Digest of the caller's key, which proves the frames. */
  readonly digest: string;
  readonly send: (data: Uint8Array) => void;
}

/**
 * One end of an exchange of frames between two relays: numbers and proves what it sends, and checks what it receives. A
 * frame that is not proved is dropped, because any member can send one; one that is missing ends the exchange.
 */
export class FrameEnd {
  readonly #options: FrameEndOptions;
  readonly #received: FrameContext;
  #sent = 0;
  #expected = 0;
  #listener: (frame: DecodedFrame) => void = () => undefined;
  #lost: () => void = () => undefined;

  constructor(options: FrameEndOptions) {
    this.#options = options;
    this.#received = { id: options.id, direction: options.direction === "down" ? "up" : "down" };
  }

  onFrame(listener: (frame: DecodedFrame) => void): void {
    this.#listener = listener;
  }

  /** `listener` is called when frames are missing. */
  onLost(listener: () => void): void {
    this.#lost = listener;
  }

  /** Sends a frame. Returns it as it was sent. */
  send(frame: UnnumberedFrame, body?: Buffer): Uint8Array {
    const { id, direction, digest, send } = this.#options;
    const data = encodeFrame({ n: this.#sent++, ...frame }, { id, direction }, digest, body);
    send(data);
    return data;
  }

  receive(data: Uint8Array): void {
    const decoded = decodeFrame(data, this.#received);
    if (decoded === undefined || !decoded.isBy(this.#options.digest)) return;
    this.take(decoded);
  }

  /** Takes a frame whose proof was checked. */
  take(decoded: DecodedFrame): void {
    const { n } = decoded.frame;
    // A frame that was sent again has arrived before.
    if (n < this.#expected) return;
    if (n > this.#expected) {
      this.#lost();
      return;
    }
    this.#expected++;
    this.#listener(decoded);
  }
}
