/**
 * A subscription that has not acknowledged for this long, or is slower than this, never throttles the program; it skips
 * ahead instead.
 */
const RECENT_MS = 100;
const FAST_BYTES_PER_MS = 16_000;
/** How far the fastest subscription may lag before the program is paused, and when it resumes. */
const HOLD_BYTES = 2 * 1024 * 1024;
const RELEASE_BYTES = HOLD_BYTES / 2;
const LOOK_EVERY_MS = 20;
/** node-pty reads for 200 ms after the program's exit, so output is never held for longer than half of that. */
const LONGEST_HOLD_MS = 100;
/** After a hold of the maximum length, more than the system buffers must be delivered before the next hold. */
const AFTER_HOLD_BYTES = 256 * 1024;

export interface ThrottlingSubscription {
  /** Time of the last acknowledgement, by `performance.now()`; undefined before the first. */
  readonly acknowledgedAt: number | undefined;
  /** The recent rate of acknowledgements, in bytes per millisecond. */
  readonly rate: number;
  /** Offset up to which output is acknowledged. */
  readonly acknowledged: number;
}

/**
 * Pauses a program briefly for a subscription that nearly keeps up, which would otherwise skip output. Never pauses for
 * subscriptions that are slow (such as a page that renders), slower than another one, or stopped.
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

  /** Pauses or resumes the program, given the new end of the output. */
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

  /** The lag of the fastest qualifying subscription; 0 when there is none. */
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
