import { processorMs } from "../../system/processor-time.ts";

/** Requests that a caller starts in one turn while no other has sent any lately: about a millisecond of work. */
const MOST_ALONE = 4;
/** A caller counts as alone after this long without a request of another. */
const ALONE_AFTER_MS = 100;
/** For this many times the processor time of their last turn those who queue wait for the next one. */
const REST_FACTOR = 2;
const LONGEST_REST_MS = 50;

interface FairTurnsClocks {
  readonly now: () => number;
  /** Processor time that the relay has used, in milliseconds. */
  readonly processorMs: () => number;
}

const SYSTEM: FairTurnsClocks = { now: () => performance.now(), processorMs };

/**
 * Lets callers start their requests in turns: each starts one in a turn of the event loop. Between two of one caller, those
 * of the others that have arrived meanwhile are served, so a caller with hundreds of requests open costs the others one or
 * two, not hundreds. While others call too, those who queue also leave them most of the processor: after a turn they wait
 * for twice the time that the relay has worked since the one before. A caller alone has one turn after the other, and
 * starts a few in each, because turns have a cost.
 */
export class FairTurns {
  readonly #clocks: FairTurnsClocks;
  /** How many requests the callers of this turn have started. */
  readonly #started = new Map<string, number>();
  /** Callers that queue. One whose requests have all started stays until the next turn, so that it rests as well. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isTurnOpen = false;
  #latest = "";
  /** When the latest request was another caller's than the one before it. */
  #changedAt = 0;
  #processorBefore = 0;

  constructor(clocks: FairTurnsClocks = SYSTEM) {
    this.#clocks = clocks;
  }

  /** Returns undefined when the caller may start at once; else what resolves in its turn, in the order of its calls. */
  take(caller: string): Promise<void> | undefined {
    if (caller !== this.#latest) {
      this.#latest = caller;
      this.#changedAt = this.#clocks.now();
    }
    const waiting = this.#waiting.get(caller);
    if (waiting !== undefined) return new Promise((resolve) => waiting.push(resolve));
    const started = this.#started.get(caller) ?? 0;
    if (started > 0 && started >= this.#most()) {
      if (this.#waiting.size === 0) this.#schedule(0);
      return new Promise((resolve) => this.#waiting.set(caller, [resolve]));
    }
    this.#start(caller, started + 1);
    return undefined;
  }

  get #isShared(): boolean {
    return this.#clocks.now() - this.#changedAt <= ALONE_AFTER_MS;
  }

  #most(): number {
    return this.#isShared ? 1 : MOST_ALONE;
  }

  #start(caller: string, started: number): void {
    this.#started.set(caller, started);
    if (this.#isTurnOpen) return;
    this.#isTurnOpen = true;
    setImmediate(() => {
      this.#isTurnOpen = false;
      this.#started.clear();
    });
  }

  #schedule(restMs: number): void {
    this.#processorBefore = this.#clocks.processorMs();
    if (restMs >= 1) setTimeout(() => this.#serve(), Math.min(restMs, LONGEST_REST_MS)).unref();
    else setImmediate(() => this.#serve());
  }

  #serve(): void {
    const most = this.#waiting.size === 1 ? this.#most() : 1;
    for (const [caller, waiting] of this.#waiting) {
      const turn = waiting.splice(0, most);
      if (turn.length === 0) this.#waiting.delete(caller);
      else this.#start(caller, turn.length);
      for (const start of turn) start();
    }
    if (this.#waiting.size === 0) return;
    const restMs = this.#isShared ? (this.#clocks.processorMs() - this.#processorBefore) * REST_FACTOR : 0;
    this.#schedule(restMs);
  }
}
