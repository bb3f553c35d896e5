import type { ShellId } from "../protocol/ids.ts";
import type { ClientLink } from "../protocol/link.ts";

/** Maximum number of unacknowledged bytes in flight to a subscriber. */
const WINDOW = 512 * 1024;
/** Acknowledgements are sent in steps of this size, so that typing costs no messages and bulk output few. */
const ACKNOWLEDGE_BYTES = WINDOW / 8;

export interface TerminalSubscriber {
  /** Receives output in order. Call `acknowledge` once the bytes are processed, so that more can follow. */
  bytes(bytes: Uint8Array, acknowledge: () => void): void;
  /** Output was lost: clear the screen, draw `snapshot`, and continue with the bytes that follow. */
  missed(bytes: number, snapshot: string): void;
}

interface Subscription {
  readonly subscriber: TerminalSubscriber;
  /** Offset of the next byte; undefined until the first byte arrives. */
  cursor: number | undefined;
  /** Processed bytes not yet acknowledged to the relay. */
  unacknowledged: number;
}

/** A client's subscriptions to shell output, one per shell. They resume at the exact byte after a reconnect. */
export class TerminalSubscriptions {
  #subscriptions = new Map<ShellId, Subscription>();
  #link: ClientLink | undefined;

  /** Renews every subscription at its current offset. */
  connect(link: ClientLink): void {
    this.#link = link;
    for (const [shell, subscription] of this.#subscriptions) this.#request(shell, subscription);
  }

  disconnect(): void {
    this.#link = undefined;
  }

  /** Subscribes to a shell's output; replaces an earlier subscriber of that shell. Returns an unsubscribe function. */
  subscribe(shell: ShellId, subscriber: TerminalSubscriber): () => void {
    const subscription: Subscription = { subscriber, cursor: undefined, unacknowledged: 0 };
    this.#subscriptions.set(shell, subscription);
    this.#request(shell, subscription);
    return () => {
      if (this.#subscriptions.get(shell) !== subscription) return;
      this.#subscriptions.delete(shell);
      this.#link?.send({ type: "unlisten", shell });
    };
  }

  receive(shell: ShellId, offset: number, bytes: Uint8Array): void {
    const subscription = this.#subscriptions.get(shell);
    if (subscription === undefined) return;
    const known = subscription.cursor === undefined ? 0 : Math.max(0, subscription.cursor - offset);
    subscription.cursor = Math.max(subscription.cursor ?? 0, offset + bytes.byteLength);
    const link = this.#link;
    const acknowledge = () => this.#acknowledge(shell, subscription, bytes.byteLength, link);
    if (known >= bytes.byteLength) acknowledge();
    else subscription.subscriber.bytes(known === 0 ? bytes : bytes.subarray(known), acknowledge);
  }

  missed(shell: ShellId, { bytes, snapshot, offset }: { bytes: number; snapshot: string; offset: number }): void {
    const subscription = this.#subscriptions.get(shell);
    if (subscription === undefined) return;
    subscription.cursor = offset;
    subscription.subscriber.missed(bytes, snapshot);
  }

  /** Ignores bytes from an earlier link: the relay no longer counts them. */
  #acknowledge(shell: ShellId, subscription: Subscription, bytes: number, link: ClientLink | undefined): void {
    if (link !== this.#link || this.#subscriptions.get(shell) !== subscription) return;
    subscription.unacknowledged += bytes;
    if (subscription.unacknowledged < ACKNOWLEDGE_BYTES) return;
    link?.send({ type: "acknowledge", shell, bytes: subscription.unacknowledged });
    subscription.unacknowledged = 0;
  }

  #request(shell: ShellId, subscription: Subscription): void {
    const { cursor } = subscription;
    subscription.unacknowledged = 0;
    this.#link?.send({ type: "listen", shell, window: WINDOW, ...(cursor === undefined ? {} : { from: cursor }) });
  }
}
