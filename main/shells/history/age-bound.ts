import { daysAgo } from "./trim.ts";

const DAY_MS = 24 * 3600_000;
/** A clock that goes on by more than this at once is not believed yet. */
const JUMP_MS = 7 * DAY_MS;
/** Time for which the shell host runs with such a clock before it is believed. */
const BELIEVED_AFTER_MS = DAY_MS;

/**
 * The time before which output is too old to be kept. A clock that is set on by years would remove a whole history at once,
 * and a wrong one is mostly set right soon. So after a jump of more than a week, also one while no shell host ran, output
 * is not too old before a day has passed, by the monotonic clock. A machine that was off for a week waits for that day, too.
 */
export class AgeBound {
  /** Time of the wall clock less that of the monotonic one, at the last look. */
  #difference: number;
  #heldUntil = Number.NEGATIVE_INFINITY;

  /** @param newest - time of the latest output that was recorded before this shell host started; undefined if there is none */
  constructor(newest: number | undefined) {
    this.#difference = (newest ?? Date.now()) - performance.now();
  }

  /** Returns the time before which output is older than so many days; undefined while the clock is not believed. */
  before(days: number): number | undefined {
    const ran = performance.now();
    const difference = Date.now() - ran;
    if (difference - this.#difference > JUMP_MS) this.#heldUntil = ran + BELIEVED_AFTER_MS;
    this.#difference = difference;
    return ran < this.#heldUntil ? undefined : daysAgo(days);
  }
}
