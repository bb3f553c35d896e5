import type { Log } from "../system/log.ts";

/** Without another error in this time things count as well again. */
const LASTS_MS = 10 * 60_000;
/** A turn of the event loop that is this late keeps everybody waiting. */
const STALL_MS = 2_000;
const LOOK_EVERY_MS = 5_000;

/**
 * What the relay has trouble with: the latest thing that it logged as an error within ten minutes (a store that cannot
 * be written, a shell host that is gone, a request that failed inside), or an event loop that stood still.
 */
export class HealthMonitor implements Disposable {
  readonly #listeners = new Set<() => void>();
  readonly #look: NodeJS.Timeout;
  #sentence: string | undefined;
  #standing: string | undefined;
  #told: string | undefined;
  #end: NodeJS.Timeout | undefined;

  constructor() {
    let due = performance.now() + LOOK_EVERY_MS;
    let woke = Date.now();
    this.#look = setInterval(() => {
      const late = performance.now() - due;
      // Asleep, a machine's calendar goes on and so may its other clock: that is no stall.
      const slept = Date.now() - woke > LOOK_EVERY_MS + 60_000;
      if (late > STALL_MS && !slept) this.report(`The relay stood still for ${Math.round(late / 1000)} s.`);
      due = performance.now() + LOOK_EVERY_MS;
      woke = Date.now();
    }, LOOK_EVERY_MS);
    this.#look.unref();
  }

  /** A sentence; undefined while all is well. */
  get issue(): string | undefined {
    return this.#standing ?? this.#sentence;
  }

  /** Something went wrong. */
  report(sentence: string): void {
    clearTimeout(this.#end);
    this.#end = setTimeout(() => this.#say(undefined), LASTS_MS);
    this.#end.unref();
    this.#say(sentence);
  }

  /** Something is wrong until this is called with undefined; what was noted of it meanwhile is over then as well. */
  setOngoing(sentence: string | undefined): void {
    if (sentence === undefined && this.#standing === this.#sentence) this.#sentence = undefined;
    this.#standing = sentence;
    this.#tell();
  }

  /** The same log, whose errors are also noted here. */
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

  /** Calls back when there is other trouble, or none any more. Answers how to stop. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#look);
    clearTimeout(this.#end);
    this.#listeners.clear();
  }

  #say(sentence: string | undefined): void {
    this.#sentence = sentence;
    this.#tell();
  }

  #tell(): void {
    if (this.issue === this.#told) return;
    this.#told = this.issue;
    for (const listener of [...this.#listeners]) listener();
  }
}
