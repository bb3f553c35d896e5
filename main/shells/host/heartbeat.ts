const CHECK_EVERY_MS = 1000;
/** Silence after which the peer counts as hung, in milliseconds. */
const HUNG_AFTER_MS = 5000;
/** A check that is this late means that this process itself was suspended and has not read what was received. */
const OWN_STALL_MS = 1000;

interface HeartbeatEvents {
  /** Sends a message that the peer answers at once. */
  ping(): void;
  /** Nothing was received for `HUNG_AFTER_MS`; called once until something is received again. */
  hung(): void;
  /** A message was received again after `silentMs`. */
  recovered(silentMs: number): void;
}

/** Detects whether the peer of a connection hangs. */
export class Heartbeat implements Disposable {
  readonly #events: HeartbeatEvents;
  readonly #timer: NodeJS.Timeout;
  #heardAt = performance.now();
  #checkedAt = performance.now();
  #waiting = false;
  #hung = false;

  constructor(events: HeartbeatEvents) {
    this.#events = events;
    this.#timer = setInterval(() => this.#check(), CHECK_EVERY_MS);
    this.#timer.unref();
  }

  get hung(): boolean {
    return this.#hung;
  }

  /** Milliseconds since the last message; 0 while no answer is expected. */
  get silentMs(): number {
    return this.#waiting ? Math.round(performance.now() - this.#heardAt) : 0;
  }

  /** Records that a message was received from the peer. */
  received(): void {
    const silentMs = this.silentMs;
    this.#heardAt = performance.now();
    this.#waiting = false;
    if (!this.#hung) return;
    this.#hung = false;
    this.#events.recovered(silentMs);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const now = performance.now();
    const stood = now - this.#checkedAt > CHECK_EVERY_MS + OWN_STALL_MS;
    this.#checkedAt = now;
    if (stood && !this.#hung) this.#heardAt = now;
    if (!this.#waiting) {
      this.#waiting = true;
      this.#events.ping();
    } else if (!this.#hung && now - this.#heardAt >= HUNG_AFTER_MS) {
      this.#hung = true;
      this.#events.hung();
    }
  }
}
