/** Requests that a caller starts in one turn while no other has sent any lately: about a millisecond of work. */
const MOST_ALONE = 4;
/** A caller counts as alone after this long without a request of another. */
const ALONE_AFTER_MS = 100;

/**
 * Lets callers start their requests in turns: each starts one in a turn of the event loop. Between two of one caller, those
 * of the others that have arrived meanwhile are served, so a caller with hundreds of requests open costs the others one or
 * two, not hundreds. A caller alone has one turn after the other, and starts a few in each, because turns have a cost.
 */
export class FairTurns {
  readonly #now: () => number;
  /** How many requests the callers of this turn have started. */
  readonly #started = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();
  #isScheduled = false;
  #latest = "";
  /** When the latest request was another caller's than the one before it. */
  #changedAt = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Returns undefined when the caller may start at once; else what resolves in its turn, in the order of its calls. */
  take(caller: string): Promise<void> | undefined {
    if (caller !== this.#latest) {
      this.#latest = caller;
      this.#changedAt = this.#now();
    }
    const waiting = this.#waiting.get(caller);
    if (waiting !== undefined) return new Promise((resolve) => waiting.push(resolve));
    const started = this.#started.get(caller) ?? 0;
    if (started > 0 && started >= this.#most()) {
      return new Promise((resolve) => this.#waiting.set(caller, [resolve]));
    }
    this.#serve(caller, started + 1);
    return undefined;
  }

  #most(): number {
    return this.#now() - this.#changedAt > ALONE_AFTER_MS ? MOST_ALONE : 1;
  }

  #serve(caller: string, started: number): void {
    this.#started.set(caller, started);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    this.#isScheduled = false;
    this.#started.clear();
    const most = this.#waiting.size === 1 ? this.#most() : 1;
    for (const [caller, waiting] of this.#waiting) {
      const turn = waiting.splice(0, most);
      if (waiting.length === 0) this.#waiting.delete(caller);
      this.#serve(caller, turn.length);
      for (const start of turn) start();
    }
  }
}
