import type { WebSocket } from "ws";
import { encodeInPieces, type LongOutput } from "./long-output.ts";

/**
 * Sends the frames of a WebSocket in order. A frame with a long output goes in fragments, as fast as the client reads them and
 * one in a turn of the event loop; the frames after it wait for its end, because nothing may come between the fragments
 * of a message.
 */
export class FrameSender {
  readonly #socket: WebSocket;
  readonly #sent: (bytes: number) => void;
  /** What waits for the end of the frame that is under way; undefined if none is. */
  #waiting: (string | Uint8Array | LongOutput)[] | undefined;
  #waitingBytes = 0;
  /** Characters of the long frame under way that were not encoded yet, at least. */
  #unencoded = 0;

  /** @param sent is called with the number of bytes, or characters of a text, that each frame or fragment has */
  constructor(socket: WebSocket, sent: (bytes: number) => void) {
    this.#socket = socket;
    this.#sent = sent;
  }

  /** Bytes, or characters of text, that the system has not taken yet. */
  get unread(): number {
    return this.#socket.bufferedAmount + this.#waitingBytes + this.#unencoded;
  }

  send(frame: string | Uint8Array): void {
    if (this.#waiting === undefined) this.#sendWhole(frame);
    else this.#wait(frame);
  }

  sendInPieces(frame: LongOutput): void {
    if (this.#waiting === undefined) void this.#sendFragments(frame);
    else this.#wait(frame);
  }

  #wait(frame: string | Uint8Array | LongOutput): void {
    this.#waiting?.push(frame);
    this.#waitingBytes += sizeOf(frame);
  }

  #sendWhole(frame: string | Uint8Array): void {
    this.#sent(frame.length);
    this.#socket.send(frame, { binary: typeof frame !== "string" });
  }

  async #sendFragments(frame: LongOutput): Promise<void> {
    this.#waiting ??= [];
    this.#unencoded = sizeOf(frame);
    for await (const piece of encodeInPieces(frame)) {
      if (this.#socket.readyState !== this.#socket.OPEN) return;
      this.#sent(piece.length);
      // Encoded ahead of a slow client, an output would be in memory twice.
      await new Promise<unknown>((taken) => this.#socket.send(piece, { binary: false, fin: false }, taken));
      this.#unencoded = Math.max(0, this.#unencoded - piece.length);
    }
    this.#unencoded = 0;
    this.#socket.send("", { binary: false, fin: true });
    this.#sendWaiting();
  }

  /** Sends what has waited, up to the next long frame. */
  #sendWaiting(): void {
    for (let next = this.#waiting?.shift(); next !== undefined; next = this.#waiting?.shift()) {
      this.#waitingBytes -= sizeOf(next);
      if (typeof next === "string" || next instanceof Uint8Array) this.#sendWhole(next);
      else {
        void this.#sendFragments(next);
        return;
      }
    }
    this.#waiting = undefined;
  }
}

function sizeOf(frame: string | Uint8Array | LongOutput): number {
  return typeof frame === "string" || frame instanceof Uint8Array ? frame.length : frame.output.length;
}
