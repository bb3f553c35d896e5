import type { ClientFrame, RelayFrame } from "./frames.ts";
import type { TerminalBytes } from "./terminal-bytes.ts";

/** One end of a connection between a client and the relay: a WebSocket, or a pair in memory. */
export interface Link<Out, In> {
  /** Sends a frame. Frames arrive in order; does nothing after `close`. */
  send(frame: Out): void;
  onFrame(receive: (frame: In) => void): void;
  /** Closes both ends. `code`: close code of a WebSocket. */
  close(reason: string, code?: number): void;
  /** Called once, when either end closes. */
  onClose(closed: (reason: string) => void): void;
}

export type ToRelay = ClientFrame;
export type ToClient = RelayFrame | ({ readonly type: "bytes" } & TerminalBytes);
export type ClientLink = Link<ToRelay, ToClient>;
export type RelayLink = Link<ToClient, ToRelay>;

/** Creates two linked ends in memory. Frames arrive in a later microtask, never during `send`. */
export function linkedPair(): { client: ClientLink; relay: RelayLink } {
  const toRelay = new FrameQueue<ToRelay>();
  const toClient = new FrameQueue<ToClient>();
  const close = (reason: string) => {
    toRelay.close(reason);
    toClient.close(reason);
  };
  return { client: linkEnd(toRelay, toClient, close), relay: linkEnd(toClient, toRelay, close) };
}

function linkEnd<Out, In>(
  outward: FrameQueue<Out>,
  inward: FrameQueue<In>,
  close: (reason: string) => void,
): Link<Out, In> {
  return {
    send: (frame) => outward.push(frame),
    onFrame: (receive) => inward.open(receive),
    close,
    onClose: (closed) => inward.onClose(closed),
  };
}

/** One direction of a link: buffers frames until there is a receiver, and delivers them in one microtask. */
class FrameQueue<T> {
  #queue: T[] = [];
  #receive: ((frame: T) => void) | undefined;
  #closed: string | undefined;
  #onClose: ((reason: string) => void)[] = [];
  #scheduled = false;

  push(frame: T): void {
    if (this.#closed !== undefined) return;
    this.#queue.push(frame);
    this.#schedule();
  }

  open(receive: (frame: T) => void): void {
    this.#receive = receive;
    this.#schedule();
  }

  onClose(closed: (reason: string) => void): void {
    if (this.#closed === undefined) this.#onClose.push(closed);
    else closed(this.#closed);
  }

  /** Delivers the frames sent before the close, then notifies the receiver. */
  close(reason: string): void {
    if (this.#closed !== undefined) return;
    this.#closed = reason;
    runInMicrotask(() => {
      this.#drain();
      for (const closed of this.#onClose.splice(0)) closed(reason);
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#receive === undefined || this.#queue.length === 0) return;
    this.#scheduled = true;
    runInMicrotask(() => this.#drain());
  }

  #drain(): void {
    this.#scheduled = false;
    const receive = this.#receive;
    if (receive === undefined) return;
    const frames = this.#queue;
    this.#queue = [];
    for (const frame of frames) receive(frame);
  }
}

const now = Promise.resolve();

/** Runs a task in a microtask. `queueMicrotask` is unavailable here: it belongs to hosts, not to the language. */
function runInMicrotask(task: () => void): void {
  void now.then(task);
}
