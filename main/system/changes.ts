import type { Lifetime } from "../../core/protocol/lifetime.ts";

/** The changes of records, for those that wait for one. */
export class Changes<T> implements Disposable {
  readonly #listeners = new Set<(changed: T) => void>();
  readonly #timers = new Set<NodeJS.Timeout>();

  /** Tells the listeners of a change. */
  tell(changed: T): void {
    for (const listener of [...this.#listeners]) listener(changed);
  }

  /** Calls the listener with every change. Returns an unsubscribe function. */
  subscribe(listener: (changed: T) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Resolves to the next change that fits; undefined after `timeoutMs`, and at the end of the caller's lifetime. */
  next(fits: (changed: T) => boolean, timeoutMs: number, lifetime?: Lifetime): Promise<T | undefined> {
    return new Promise((resolve) => {
      let release: (() => void) | undefined;
      const done = (changed: T | undefined) => {
        unsubscribe();
        clearTimeout(timer);
        this.#timers.delete(timer);
        release?.();
        resolve(changed);
      };
      const unsubscribe = this.subscribe((changed) => {
        if (fits(changed)) done(changed);
      });
      const timer = setTimeout(() => done(undefined), timeoutMs);
      timer.unref();
      this.#timers.add(timer);
      release = lifetime?.onEnd(() => done(undefined));
    });
  }

  /** Forgets the listeners; what waits is not resolved any more. */
  [Symbol.dispose](): void {
    this.#listeners.clear();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
