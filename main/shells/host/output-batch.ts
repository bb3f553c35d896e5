import type { OutputFrame } from "../../../core/protocol/shell-host.ts";

/** One frame for all subscriptions that get the same bytes: several usually follow a shell at the same offset. */
export interface BatchedFrame {
  readonly to: number[];
  readonly frame: OutputFrame;
}

/**
 * Batches the frames that the subscriptions of a relay get in one turn of the event loop, so that a piece of output
 * crosses the socket once. The order of each subscription's frames is kept.
 */
export class OutputBatch {
  readonly #send: (batched: BatchedFrame) => void;
  #frames: (BatchedFrame & { readonly key: string | undefined })[] = [];
  /** Index of each subscription's latest frame. */
  #latest = new Map<number, number>();
  #scheduled = false;
  #bytes = 0;

  constructor(send: (batched: BatchedFrame) => void) {
    this.#send = send;
  }

  /** Bytes that have not been sent yet. */
  get bytes(): number {
    return this.#bytes;
  }

  add(listener: number, shell: string, frame: OutputFrame): void {
    const key = frame.kind === "output" ? `${shell} ${frame.offset} ${frame.bytes.length}` : undefined;
    const after = this.#latest.get(listener) ?? -1;
    const same = key === undefined ? -1 : this.#frames.findIndex((other, index) => index > after && other.key === key);
    const place = same < 0 ? this.#frames.length : same;
    if (same < 0) {
      this.#frames.push({ to: [listener], frame, key });
      if (frame.kind === "output") this.#bytes += frame.bytes.length;
    } else this.#frames[same]?.to.push(listener);
    this.#latest.set(listener, place);
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => this.flush());
  }

  /** Sends the batch now. Called before any other message is sent, so that the order of messages is kept. */
  flush(): void {
    this.#scheduled = false;
    if (this.#frames.length === 0) return;
    const frames = this.#frames;
    this.#frames = [];
    this.#bytes = 0;
    this.#latest = new Map();
    for (const frame of frames) this.#send(frame);
  }
}
