import type { RemoteError } from "./errors.ts";

type Listener = (reason: RemoteError) => void;

/**
 * How long something may go on: a credential that was accepted, or a client that is connected. What outlives the check of
 * a credential (a WebSocket, an event stream, a wait, a pending command) subscribes to the end, and stops then.
 */
export class Lifetime {
  readonly #listeners = new Set<Listener>();
  readonly #held: () => void;
  #ended: RemoteError | undefined;

  /** `held` is called when there is a first subscriber. */
  constructor(held: () => void = () => undefined) {
    this.#held = held;
  }

  /** The error for callers; undefined while it lasts. */
  get ended(): RemoteError | undefined {
    return this.#ended;
  }

  /** Number of subscribers. */
  get holders(): number {
    return this.#listeners.size;
  }

  /** Calls the listener once at the end, and at once after it. Returns an unsubscribe function. */
  onEnd(listener: Listener): () => void {
    if (this.#ended !== undefined) {
      listener(this.#ended);
      return () => undefined;
    }
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#held();
    return () => void this.#listeners.delete(listener);
  }

  /** Ends everything that subscribed. Returns how many those were; 0 after the first call. */
  end(reason: RemoteError): number {
    if (this.#ended !== undefined) return 0;
    this.#ended = reason;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener(reason);
    return listeners.length;
  }
}
