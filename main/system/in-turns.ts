import { setImmediate as immediate } from "node:timers/promises";

/** A computation that yields wherever everything else may have its turn. */
export type Steps<T> = Generator<void, T, void>;

/** Longest time for which a computation holds the event loop, in milliseconds, plus that of one step. */
const SLICE_MS = 5;

/** Runs a computation to its end at once: for little input. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Runs a computation in slices of `sliceMs` milliseconds, between which everything else has its turn. */
export async function runInTurns<T>(steps: Steps<T>, sliceMs = SLICE_MS): Promise<T> {
  for (;;) {
    const end = performance.now() + sliceMs;
    do {
      const { done, value } = steps.next();
      if (done === true) return value;
    } while (performance.now() < end);
    await immediate();
  }
}

/** Does something with each of some items, in slices between which everything else has its turn. */
export function eachInTurns<T>(items: readonly T[], act: (item: T) => void): Promise<void> {
  return runInTurns(steps());

  function* steps(): Steps<void> {
    for (const item of items) {
      act(item);
      yield;
    }
  }
}

/** Runs one thing after another, in the order in which they came. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves as `run` does, after everything that came before it. */
  run<T>(run: () => Promise<T>): Promise<T> {
    const done = this.#last.then(run, run);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
