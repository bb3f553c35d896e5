/** Who has acknowledged nothing for so long, or less than so much a millisecond, slows nobody: it is skipped ahead. */
const RECENT_MS = 100;
const FAST_BYTES_PER_MS = 16_000;
/** How far the fastest may be behind before the program has to wait for it, and when it goes on. */
const HOLD_BYTES = 2 * 1024 * 1024;
const RELEASE_BYTES = HOLD_BYTES / 2;
const LOOK_EVERY_MS = 20;
/** node-pty reads for 200 ms after the program's end, so it is never held for longer than half of that. */
const LONGEST_HOLD_MS = 100;
/** And then for more than a terminal of the system holds unread. */
const AFTER_HOLD_BYTES = 256 * 1024;

export interface ThrottlingSubscription {
  /** When it last acknowledged bytes, by `performance.now()`; undefined before. */
  readonly acknowledgedAt: number | undefined;
  /** How fast it did lately, in bytes a millisecond. */
  readonly rate: number;
  /** Offset up to which it has taken the output in. */
  readonly acknowledged: number;
}

/**
 * Lets a program wait a moment for a listener that nearly keeps up with it: else everybody is skipped ahead sooner or
 * later. Nobody waits for a listener that is slow, as a page that draws, or slower than another, or has stopped.
 */
export class OutputThrottle {
  readonly #hold: (held: boolean) => void;
  readonly #subscriptions: Iterable<ThrottlingSubscription>;
  #timer: NodeJS.Timeout | undefined;
  #heldSince: number | undefined;
  #notBefore = 0;

  constructor(listeners: Iterable<ThrottlingSubscription>, hold: (held: boolean) => void) {
    this.#subscriptions = listeners;
    this.#hold = hold;
  }

  /** The output now ends there. */
  update(end: number): void {
    if (this.#heldSince !== undefined) this.#maybeRelease(end, this.#heldSince);
    else if (end >= this.#notBefore && this.#lag(end) > HOLD_BYTES) {
      this.#heldSince = performance.now();
      this.#hold(true);
      this.#timer = setInterval(() => this.update(end), LOOK_EVERY_MS);
    }
  }

  release(): void {
    clearInterval(this.#timer);
    if (this.#heldSince === undefined) return;
    this.#heldSince = undefined;
    this.#hold(false);
  }

  #maybeRelease(end: number, since: number): void {
    const longEnough = performance.now() - since >= LONGEST_HOLD_MS;
    if (!longEnough && this.#lag(end) > RELEASE_BYTES) return;
    if (longEnough) this.#notBefore = end + AFTER_HOLD_BYTES;
    this.release();
  }

  /** How far the first of those that are fast is behind; 0 when nobody is fast. */
  #lag(end: number): number {
    const now = performance.now();
    let fastest: number | undefined;
    for (const { acknowledgedAt, acknowledged, rate } of this.#subscriptions) {
      if (acknowledgedAt === undefined || now - acknowledgedAt > RECENT_MS || rate < FAST_BYTES_PER_MS) continue;
      fastest = Math.max(fastest ?? 0, acknowledged);
    }
    return fastest === undefined ? 0 : end - fastest;
  }
}
