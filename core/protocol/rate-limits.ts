/** Milliseconds of a clock that never goes back. */
type Clock = () => number;

interface Rate {
  readonly capacity: number;
  readonly perSecond: number;
}

/** Lets `capacity` through at once, and `perSecond` from then on. */
export class TokenBucket {
  readonly #capacity: number;
  readonly #perMs: number;
  readonly #clock: Clock;
  #tokens: number;
  #filledAt: number;

  constructor({ capacity, perSecond }: Rate, clock: Clock) {
    this.#capacity = capacity;
    this.#perMs = perSecond / 1000;
    this.#clock = clock;
    this.#tokens = capacity;
    this.#filledAt = clock();
  }

  /** Takes a token. Returns false, and takes nothing, when there is none. */
  take(): boolean {
    this.#fill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes tokens even where there are too few. Returns the milliseconds until that debt is paid, 0 without one. */
  spend(tokens: number): number {
    this.#fill();
    this.#tokens -= tokens;
    return Math.max(0, -this.#tokens / this.#perMs);
  }

  get isFull(): boolean {
    this.#fill();
    return this.#tokens === this.#capacity;
  }

  #fill(): void {
    const now = this.#clock();
    this.#tokens = Math.min(this.#capacity, this.#tokens + (now - this.#filledAt) * this.#perMs);
    this.#filledAt = now;
  }
}

/** Keys that are remembered, however many are tried: beyond them full buckets, or all windows, are forgotten. */
const MOST_KEYS = 10_000;

/** A bucket for each key of its own, which outlives what the key has open. */
export class TokenBuckets {
  readonly #rate: Rate;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(rate: Rate, clock: Clock) {
    this.#rate = rate;
    this.#clock = clock;
  }

  /** Returns the bucket of a key; without one, a bucket that nobody shares. */
  of(key: string | undefined): TokenBucket {
    if (key === undefined) return new TokenBucket(this.#rate, this.#clock);
    const known = this.#buckets.get(key);
    if (known !== undefined) return known;
    if (this.#buckets.size >= MOST_KEYS) {
      for (const [other, bucket] of this.#buckets) if (bucket.isFull) this.#buckets.delete(other);
    }
    const bucket = new TokenBucket(this.#rate, this.#clock);
    this.#buckets.set(key, bucket);
    return bucket;
  }
}

/** Lets `most` through in any period of `windowMs`, for each key of its own. */
export class WindowLimit {
  readonly #most: number;
  readonly #windowMs: number;
  readonly #clock: Clock;
  /** When each key's last ones went through, oldest first. */
  readonly #times = new Map<string, readonly number[]>();

  constructor({ most, windowMs }: { most: number; windowMs: number }, clock: Clock) {
    this.#most = most;
    this.#windowMs = windowMs;
    this.#clock = clock;
  }

  /** Returns the milliseconds until the key's next one may pass, 0 for at once. */
  wait(key = ""): number {
    const now = this.#clock();
    const oldest = this.#recent(key, now).at(-this.#most);
    return oldest === undefined ? 0 : oldest + this.#windowMs - now;
  }

  /** As `wait`, and counts one that may pass at once. */
  take(key = ""): number {
    const wait = this.wait(key);
    if (wait > 0) return wait;
    const now = this.#clock();
    const times = [...this.#recent(key, now), now];
    if (this.#times.size >= MOST_KEYS && !this.#times.has(key)) this.#times.clear();
    this.#times.set(key, times);
    return 0;
  }

  #recent(key: string, now: number): readonly number[] {
    return (this.#times.get(key) ?? []).filter((at) => now - at < this.#windowMs);
  }
}
