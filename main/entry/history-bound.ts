import { stat } from "node:fs/promises";
import { historyLimits } from "../../core/protocol/history.ts";

/** Part of the bound by which the share of the segments must have changed to be told again. */
const TOLD_PART = 16;
/** Shortest time between two looks at the sizes, each of which follows on something that was indexed. */
const LOOK_EVERY_MS = 60_000;
/** Shortest time after which the index forgets again what the shell host has removed. */
const FORGET_EVERY_MS = 600_000;

interface BoundOptions {
  /** The file of the index. */
  readonly file: string;
  /** Returns the bound of the whole history, in bytes. */
  readonly maxBytes: () => number;
  /** Tells the shell host how much segments may take. */
  readonly tell: () => Promise<unknown>;
  /** Has the index forget what is recorded no longer. */
  readonly forgetRemoved: () => Promise<unknown>;
}

/**
 * Divides the bound of the history between its segments and its index. The shell host removes segments and knows no index,
 * so it is told the bound less what the index takes.
 */
export class HistoryBound {
  readonly #options: BoundOptions;
  #told: number | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #forgotAt = performance.now();

  constructor(options: BoundOptions) {
    this.#options = options;
  }

  /** Notes the bound of segments that the shell host is told, and returns it. */
  told(maxBytes: number, index: number): number {
    this.#told = bytesForSegments(maxBytes, index);
    return this.#told;
  }

  /** Looks at the sizes after something was indexed, from time to time. */
  async indexed(): Promise<void> {
    const now = performance.now();
    if (now - this.#lookedAt < LOOK_EVERY_MS) return;
    this.#lookedAt = now;
    const { file, maxBytes, tell, forgetRemoved } = this.#options;
    if (now - this.#forgotAt >= FORGET_EVERY_MS) {
      this.#forgotAt = now;
      await forgetRemoved();
    }
    if (this.#told === undefined) return;
    const left = bytesForSegments(maxBytes(), await indexBytes(file));
    if (Math.abs(left - this.#told) * TOLD_PART > maxBytes()) await tell();
  }
}

/**
 * Returns how much of a bound segments may take beside an index: at least half, so that no index removes them all, and no less
 * than the narrowest bound of a history. Only what is removed once may have a narrower one.
 */
export function bytesForSegments(maxBytes: number, index: number): number {
  const least = maxBytes < historyLimits.leastBytes ? 0 : historyLimits.leastBytes;
  return Math.max(least, Math.ceil(maxBytes / 2), maxBytes - index);
}

/** Returns the bytes of an index on disk, with what SQLite keeps beside its file. */
export async function indexBytes(file: string): Promise<number> {
  const sizes = [file, `${file}-wal`, `${file}-shm`].map((name) =>
    stat(name).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
