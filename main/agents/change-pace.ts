import type { Clock } from "./clock.ts";

/** Changes of one program that are published at once, in a second. */
const MOST_AT_ONCE = 20;
const SECOND_MS = 1000;

/** Limits how often a program's changes are published: the first ones at once, the rest of a second's together. */
export class ChangePace {
  readonly #clock: Clock;
  readonly #seconds = new WeakMap<object, { readonly since: number; count: number; waits: boolean }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Publishes now, or at the end of the second when there were too many changes.
   * @param publish - publishes what has changed by then; returns whether anything has
   */
  run(program: object, publish: () => boolean): void {
    const now = this.#clock.now();
    const known = this.#seconds.get(program);
    const second =
      known !== undefined && now - known.since < SECOND_MS ? known : { since: now, count: 0, waits: false };
    this.#seconds.set(program, second);
    if (second.count < MOST_AT_ONCE) {
      if (publish()) second.count += 1;
    } else if (!second.waits) {
      second.waits = true;
      this.#clock.after(second.since + SECOND_MS - now, publish);
    }
  }
}
