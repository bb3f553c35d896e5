/**
 * Lets callers start their requests in turns: each starts one in a turn of the event loop. Between two of one caller, those
 * of the others that have arrived meanwhile are served, so a caller with hundreds of requests open costs the others one or
 * two, not hundreds. No capacity is lost: a caller alone has one turn after the other.
 */
export class FairTurns {
  /** The callers that have had this turn. */
  readonly #served = new Set<string>();
  readonly #waiting = new Map<string, (() => void)[]>();
  #isScheduled = false;

  /** Returns undefined when the caller may start at once; else what resolves in its turn, in the order of its calls. */
  take(caller: string): Promise<void> | undefined {
    const waiting = this.#waiting.get(caller);
    if (waiting !== undefined) return new Promise((resolve) => waiting.push(resolve));
    if (this.#served.has(caller)) return new Promise((resolve) => this.#waiting.set(caller, [resolve]));
    this.#serve(caller);
    return undefined;
  }

  #serve(caller: string): void {
    this.#served.add(caller);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    this.#isScheduled = false;
    this.#served.clear();
    for (const [caller, waiting] of this.#waiting) {
      const start = waiting.shift();
      if (waiting.length === 0) this.#waiting.delete(caller);
      this.#serve(caller);
      start?.();
    }
  }
}
