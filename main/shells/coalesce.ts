/** A busy stream is delivered in pieces of this size or after this time, whichever comes first. */
const BUSY_BYTES = 64 * 1024;
const BUSY_MS = 4;
/** This many bytes within BUSY_MS make a stream busy; typing and its echo never do. */
const BUSY_FROM_BYTES = 16 * 1024;

/** Delivers the pending output: all of it, or only full blocks. Returns how many bytes remain. */
type Flush = (amount: "all" | "whole pieces") => number;

/**
 * Decides when output is delivered: the first piece after a silence at once, so that an echo waits for nothing; what
 * follows it with the reads that are ready; a busy stream in a few large pieces.
 */
export class Coalescer {
  readonly #flush: Flush;
  #pending = 0;
  #recentBytes = 0;
  #recentSince = Number.NEGATIVE_INFINITY;
  #latest = Number.NEGATIVE_INFINITY;
  #immediate: NodeJS.Immediate | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(flush: Flush) {
    this.#flush = flush;
  }

  /** Records that so many bytes were received. */
  note(bytes: number): void {
    const afterSilence = this.#measure(bytes) && this.#pending === 0;
    this.#pending += bytes;
    if (afterSilence && bytes < BUSY_FROM_BYTES) this.flush();
    else if (this.#pending >= BUSY_BYTES) this.#deliver("whole pieces");
    else if (this.#recentBytes < BUSY_FROM_BYTES) this.#immediate ??= setImmediate(() => this.flush());
    else this.#timer ??= setTimeout(() => this.flush(), BUSY_MS);
  }

  /** Delivers the pending output now. */
  flush(): void {
    if (this.#pending > 0) this.#deliver("all");
    else this.dispose();
  }

  dispose(): void {
    clearImmediate(this.#immediate);
    clearTimeout(this.#timer);
    this.#immediate = undefined;
    this.#timer = undefined;
  }

  #deliver(amount: "all" | "whole pieces"): void {
    this.dispose();
    this.#pending = this.#flush(amount);
    if (this.#pending > 0) this.#timer = setTimeout(() => this.flush(), BUSY_MS);
  }

  /** Counts bytes. Returns whether these are the first for BUSY_MS. */
  #measure(bytes: number): boolean {
    const now = performance.now();
    const isSilent = now - this.#latest > BUSY_MS;
    this.#latest = now;
    if (now - this.#recentSince > BUSY_MS) {
      this.#recentSince = now;
      this.#recentBytes = 0;
    }
    this.#recentBytes += bytes;
    return isSilent;
  }
}
