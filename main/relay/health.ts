import type { Log } from "../system/log.ts";

/** An error counts as an issue for this long. */
const ISSUE_MS = 10 * 60_000;
/** A timer that is this late means that the event loop was blocked. */
const STALL_MS = 2_000;
const CHECK_EVERY_MS = 5_000;

/**
 * Reports the relay's current issue: the latest error that it logged within ten minutes (a store that cannot be written, a
 * shell host that is gone, an internal failure of a request), or a blocked event loop.
 */
export class HealthMonitor implements Disposable {
  readonly #listeners = new Set<() => void>();
  readonly #check: NodeJS.Timeout;
  #reported: string | undefined;
  #ongoing: string | undefined;
  #published: string | undefined;
  #expiry: NodeJS.Timeout | undefined;

  constructor() {
    let due = performance.now() + CHECK_EVERY_MS;
    let woke = Date.now();
    this.#check = setInterval(() => {
      const late = performance.now() - due;
      // A machine that was asleep is not a blocked event loop.
      const slept = Date.now() - woke > CHECK_EVERY_MS + 60_000;
      if (late > STALL_MS && !slept) this.report(`The relay stood still for ${Math.round(late / 1000)} s.`);
      due = performance.now() + CHECK_EVERY_MS;
      woke = Date.now();
    }, CHECK_EVERY_MS);
    this.#check.unref();
  }

  /** The current issue as a sentence; undefined if there is none. */
  get issue(): string | undefined {
    return this.#ongoing ?? this.#reported;
  }

  /** Reports an issue, which expires after ten minutes. */
  report(sentence: string): void {
    clearTimeout(this.#expiry);
    this.#expiry = setTimeout(() => this.#setReported(undefined), ISSUE_MS);
    this.#expiry.unref();
    this.#setReported(sentence);
  }

  /** Sets an issue that lasts until this is called with undefined, which also ends its reports. */
  setOngoing(sentence: string | undefined): void {
    if (sentence === undefined && this.#ongoing === this.#reported) this.#reported = undefined;
    this.#ongoing = sentence;
    this.#publish();
  }

  /** Returns a log that also reports its errors here. */
  watchErrors(log: Log): Log {
    return {
      debug: (message, fields) => log.debug(message, fields),
      info: (message, fields) => log.info(message, fields),
      warn: (message, fields) => log.warn(message, fields),
      error: (message, fields) => {
        log.error(message, fields);
        this.report(message);
      },
    };
  }

  /** Subscribes to changes of the issue. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#check);
    clearTimeout(this.#expiry);
    this.#listeners.clear();
  }

  #setReported(sentence: string | undefined): void {
    this.#reported = sentence;
    this.#publish();
  }

  #publish(): void {
    if (this.issue === this.#published) return;
    this.#published = this.issue;
    for (const listener of [...this.#listeners]) listener();
  }
}
