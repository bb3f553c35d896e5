/** Requests of one caller that start in one turn of the event loop, so that it takes a millisecond or two at most. */
const MOST_IN_A_TURN = 1;

/**
 * Lets callers start their requests in turns. Between two turns of one caller, those of the others that have arrived
 * meanwhile are served, so a caller with hundreds of requests open costs the others a few, not hundreds. No capacity is
 * lost: a caller alone has one turn after the other.
 */
export class FairTurns {
  /** How many requests each caller has started in this turn. */
  #started = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();
  #isScheduled = false;

  /** Returns undefined when the caller may start at once; else what resolves in its turn, in the order of its calls. */
  take(caller: string): Promise<void> | undefined {
    const waiting = this.#waiting.get(caller);
    if (waiting !== undefined) return new Promise((resolve) => waiting.push(resolve));
    const started = this.#started.get(caller) ?? 0;
    this.#schedule();
    if (started < MOST_IN_A_TURN) {
      this.#started.set(caller, started + 1);
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.set(caller, [resolve]));
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    this.#isScheduled = false;
    this.#started.clear();
    for (const [caller, waiting] of this.#waiting) {
      const turn = waiting.splice(0, MOST_IN_A_TURN);
      this.#started.set(caller, turn.length);
      if (waiting.length === 0) this.#waiting.delete(caller);
      for (const start of turn) start();
    }
    if (this.#started.size > 0) this.#schedule();
  }
}
