import type { ClientFrame, RelayFrame } from "./frames.ts";
import type { TerminalBytes } from "./terminal-bytes.ts";

/** One end of a connection between a client and the relay: a WebSocket, or a pair in memory. */
export interface Link<Out, In> {
  /** Frames arrive in the order of their sending; after `close` it does nothing. */
  send(frame: Out): void;
  onFrame(receive: (frame: In) => void): void;
  close(reason: string): void;
  /** Called once, when either end closes. */
  onClose(closed: (reason: string) => void): void;
}

export type ToRelay = ClientFrame;
export type ToClient = RelayFrame | ({ readonly type: "bytes" } & TerminalBytes);
export type ClientLink = Link<ToRelay, ToClient>;
export type RelayLink = Link<ToClient, ToRelay>;

/** Two ends joined in memory. Delivery is a microtask later, so that nobody is called back while sending. */
export function linkedPair(): { client: ClientLink; relay: RelayLink } {
  const toRelay = new Lane<ToRelay>();
  const toClient = new Lane<ToClient>();
  const close = (reason: string) => {
    toRelay.close(reason);
    toClient.close(reason);
  };
  return { client: end(toRelay, toClient, close), relay: end(toClient, toRelay, close) };
}

function end<Out, In>(outward: Lane<Out>, inward: Lane<In>, close: (reason: string) => void): Link<Out, In> {
  return {
    send: (frame) => outward.push(frame),
    onFrame: (receive) => inward.open(receive),
    close,
    onClose: (closed) => inward.onClose(closed),
  };
}

/** One direction: a queue that is drained in one microtask, and holds what comes before there is a receiver. */
class Lane<T> {
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

  /** What was sent before the close is still delivered; then the receiver learns of it. */
  close(reason: string): void {
    if (this.#closed !== undefined) return;
    this.#closed = reason;
    soon(() => {
      this.#drain();
      for (const closed of this.#onClose.splice(0)) closed(reason);
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#receive === undefined || this.#queue.length === 0) return;
    this.#scheduled = true;
    soon(() => this.#drain());
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

/** A microtask; core knows no `queueMicrotask`, which is the hosts' and not the language's. */
function soon(task: () => void): void {
  void now.then(task);
}
