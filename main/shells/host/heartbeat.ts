const LOOK_EVERY_MS = 1000;
/** So long without a sign of life, and the other side counts as hung. */
export const HUNG_AFTER_MS = 5000;
/** A look that is this much late means that this process stood still itself, and has not read what was said. */
const OWN_STALL_MS = 1000;

interface HeartbeatEvents {
  /** Sends something that the other side answers at once. */
  ping(): void;
  /** Nothing was heard for `HUNG_AFTER_MS`; called once until something is heard again. */
  hung(): void;
  /** Something was heard again after `silentMs`. */
  recovered(silentMs: number): void;
}

/** Watches whether the other side of a connection still works. */
export class Heartbeat implements Disposable {
  readonly #events: HeartbeatEvents;
  readonly #timer: NodeJS.Timeout;
  #heardAt = performance.now();
  #lookedAt = performance.now();
  #asked = false;
  #hung = false;

  constructor(events: HeartbeatEvents) {
    this.#events = events;
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  get hung(): boolean {
    return this.#hung;
  }

  /** Milliseconds since something was heard, 0 while nothing is waited for. */
  get silentMs(): number {
    return this.#asked ? Math.round(performance.now() - this.#heardAt) : 0;
  }

  /** Something came from the other side. */
  heard(): void {
    const silentMs = this.silentMs;
    this.#heardAt = performance.now();
    this.#asked = false;
    if (!this.#hung) return;
    this.#hung = false;
    this.#events.recovered(silentMs);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    const stood = now - this.#lookedAt > LOOK_EVERY_MS + OWN_STALL_MS;
    this.#lookedAt = now;
    if (stood && !this.#hung) this.#heardAt = now;
    if (!this.#asked) {
      this.#asked = true;
      this.#events.ping();
    } else if (!this.#hung && now - this.#heardAt >= HUNG_AFTER_MS) {
      this.#hung = true;
      this.#events.hung();
    }
  }
}
