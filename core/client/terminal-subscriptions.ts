import type { ShellId } from "../protocol/ids.ts";
import { limits } from "../protocol/limits.ts";
import type { ClientLink } from "../protocol/link.ts";
import type { TerminalBytes } from "../protocol/terminal-bytes.ts";

/** Maximum number of unacknowledged bytes in flight to a subscriber. */
const WINDOW = 512 * 1024;
/**
 * Bytes that readers have not processed after which a link is closed, because its relay sends on without being asked: as many as
 * all shells of a session together have in flight.
 */
const MOST_UNPROCESSED = limits.shellsPerSession * WINDOW;
/** Acknowledgements are sent in steps of this size, so that typing costs no messages and bulk output few. */
const ACKNOWLEDGE_BYTES = WINDOW / 8;

export interface TerminalSubscriber {
  /**
   * Receives output in order. Call `acknowledge` once the bytes are processed, so that more can follow.
   * @param quiet queries in the bytes are not to be answered
   */
  bytes(bytes: Uint8Array, acknowledge: () => void, quiet: boolean): void;
  /** Output was lost: clear the screen, draw `snapshot`, and continue with the bytes that follow. */
  missed(bytes: number, snapshot: string): void;
}

interface Reader {
  readonly subscriber: TerminalSubscriber;
  /** Offset of the next byte; undefined until the first byte arrives. */
  cursor: number | undefined;
  /** Where an earlier reader was: until the kept output comes, bytes from there on are those of the earlier request. */
  start: number | undefined;
  /** Bytes that it was given, over whatever links, and has not processed. */
  unprocessed: number;
}

interface Subscription {
  readonly readers: Set<Reader>;
  /** Processed bytes not yet acknowledged to the relay. */
  unacknowledged: number;
  /** Counts the requests: bytes of an earlier one are no longer acknowledged. */
  requests: number;
}

/**
 * A client's subscriptions to shell output: one request per shell, for any number of windows. They resume at the exact
 * byte after a reconnect.
 */
export class TerminalSubscriptions {
  #subscriptions = new Map<ShellId, Subscription>();
  #link: ClientLink | undefined;
  /** Sum over all readers. */
  #unprocessed = 0;

  /** Renews every subscription at its current offset. */
  connect(link: ClientLink): void {
    this.#link = link;
    for (const [shell, subscription] of this.#subscriptions) {
      for (const reader of subscription.readers) reader.start = undefined;
      this.#request(shell, subscription);
    }
  }

  disconnect(): void {
    this.#link = undefined;
  }

  /** Subscribes to a shell's output, from the oldest that is kept. Returns an unsubscribe function. */
  subscribe(shell: ShellId, subscriber: TerminalSubscriber): () => void {
    const subscription = this.#subscriptions.get(shell) ?? {
      readers: new Set(),
      ...{ unacknowledged: 0, requests: 0 },
    };
    const positions = [...subscription.readers].flatMap(({ cursor, start }) => cursor ?? start ?? []);
    const start = positions.length === 0 ? undefined : Math.max(...positions);
    const reader: Reader = { subscriber, cursor: undefined, start, unprocessed: 0 };
    subscription.readers.add(reader);
    this.#subscriptions.set(shell, subscription);
    this.#request(shell, subscription);
    return () => {
      if (!subscription.readers.delete(reader)) return;
      this.#unprocessed -= reader.unprocessed;
      // What the one that left has not processed must not hold up the others.
      if (subscription.readers.size > 0) return this.#request(shell, subscription);
      this.#subscriptions.delete(shell);
      this.#link?.send({ type: "unlisten", shell });
    };
  }

  /** Takes bytes from the relay. Of several readers one at most answers queries in them. */
  receive({ shell, offset, bytes, quiet = false }: TerminalBytes): void {
    const subscription = this.#subscriptions.get(shell);
    if (subscription === undefined) return;
    const { requests } = subscription;
    const link = this.#link;
    const due = [...subscription.readers].filter(
      ({ cursor, start }) => cursor !== undefined || start === undefined || offset < start,
    );
    if (this.#unprocessed + due.length * bytes.byteLength > MOST_UNPROCESSED) {
      link?.close("more output than was asked for");
      return;
    }
    let left = due.length;
    const [answering] = subscription.readers;
    for (const reader of due) {
      this.#count(reader, bytes.byteLength);
      const acknowledge = () => {
        if (subscription.readers.has(reader)) this.#count(reader, -bytes.byteLength);
        left -= 1;
        if (left > 0 || link !== this.#link || requests !== subscription.requests) return;
        this.#acknowledge(shell, subscription, bytes.byteLength);
      };
      const isQuiet = quiet || reader !== answering;
      const known = reader.cursor === undefined ? 0 : Math.max(0, reader.cursor - offset);
      reader.cursor = Math.max(reader.cursor ?? 0, offset + bytes.byteLength);
      if (known >= bytes.byteLength) acknowledge();
      else reader.subscriber.bytes(known === 0 ? bytes : bytes.subarray(known), acknowledge, isQuiet);
    }
  }

  missed(shell: ShellId, { bytes, snapshot, offset }: { bytes: number; snapshot: string; offset: number }): void {
    const readers = this.#subscriptions.get(shell)?.readers ?? new Set();
    for (const reader of readers) {
      // It was for another one, which has less of the output.
      if (readers.size > 1 && reader.cursor !== undefined && reader.cursor >= offset) continue;
      reader.cursor = offset;
      reader.subscriber.missed(bytes, snapshot);
    }
  }

  #count(reader: Reader, bytes: number): void {
    reader.unprocessed += bytes;
    this.#unprocessed += bytes;
  }

  #acknowledge(shell: ShellId, subscription: Subscription, bytes: number): void {
    if (this.#subscriptions.get(shell) !== subscription) return;
    subscription.unacknowledged += bytes;
    if (subscription.unacknowledged < ACKNOWLEDGE_BYTES) return;
    this.#link?.send({ type: "acknowledge", shell, bytes: subscription.unacknowledged });
    subscription.unacknowledged = 0;
  }

  /** Asks for the output from where the reader is that has least of it. */
  #request(shell: ShellId, subscription: Subscription): void {
    const cursors = [...subscription.readers].map(({ cursor }) => cursor);
    const from = cursors.reduce((least, cursor) =>
      least === undefined || cursor === undefined ? undefined : Math.min(least, cursor),
    );
    subscription.unacknowledged = 0;
    subscription.requests += 1;
    this.#link?.send({ type: "listen", shell, quiet: true, window: WINDOW, ...(from === undefined ? {} : { from }) });
  }
}
