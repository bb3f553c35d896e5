import type { OutputFrame } from "../../../core/protocol/shell-host.ts";

/** One frame for every listener that gets the same: several usually follow a shell at the same place. */
export interface BatchedFrame {
  readonly to: number[];
  readonly frame: OutputFrame;
}

/**
 * Gathers what the listeners of one relay are given in one turn, so that a piece of output crosses the socket once,
 * however many listen. No listener's frames change their order.
 */
export class OutputBatch {
  readonly #send: (batched: BatchedFrame) => void;
  #frames: (BatchedFrame & { readonly key: string | undefined })[] = [];
  /** Where each listener's latest frame stands. */
  #latest = new Map<number, number>();
  #scheduled = false;

  constructor(send: (batched: BatchedFrame) => void) {
    this.#send = send;
  }

  add(listener: number, shell: string, frame: OutputFrame): void {
    const key = frame.kind === "output" ? `${shell} ${frame.offset} ${frame.bytes.length}` : undefined;
    const after = this.#latest.get(listener) ?? -1;
    const same = key === undefined ? -1 : this.#frames.findIndex((other, index) => index > after && other.key === key);
    const place = same < 0 ? this.#frames.length : same;
    if (same < 0) this.#frames.push({ to: [listener], frame, key });
    else this.#frames[same]?.to.push(listener);
    this.#latest.set(listener, place);
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => this.flush());
  }

  /** Sends now what waits; called before anything else is sent, so that the order of all stays. */
  flush(): void {
    this.#scheduled = false;
    if (this.#frames.length === 0) return;
    const frames = this.#frames;
    this.#frames = [];
    this.#latest = new Map();
    for (const frame of frames) this.#send(frame);
  }
}
