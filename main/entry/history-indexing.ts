import { errorText } from "../../core/protocol/error-text.ts";
import type { SegmentOwner } from "../shells/history/segment.ts";
import type { IndexThread } from "../shells/history-index/index-thread.ts";
import type { Log } from "../system/log.ts";
import { withDeadline } from "../system/with-deadline.ts";

/**
 * What was printed is indexed once nothing was told for so long: while much is printed, the processor is for that. A shell that
 * prints on tells it every 5 s.
 */
const QUIET_MS = 6000;
/** It waits no longer than this. A search does not wait for either. */
const INDEX_WITHIN_MS = 10_000;

/** Has an index take in what shells print: a little later by itself, and at once for a search. */
export class HistoryIndexing implements Disposable {
  readonly #index: Pick<IndexThread, "call">;
  readonly #log: Pick<Log, "warn">;
  readonly #onIndexed: () => void;
  /** Shells that have printed since they were indexed. */
  readonly #stale = new Map<string, SegmentOwner>();
  /** Shells that are being indexed; true once all of it is. */
  readonly #running = new Map<string, Promise<boolean>>();
  /** How much was noted of a shell when it was last indexed, as the shell host counts it. */
  readonly #noted = new Map<string, number>();
  /** Whether everything that was recorded before is indexed; undefined: that is to be tried again. */
  #caughtUp: Promise<boolean> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When a shell has told that it printed, first and last since the index was asked by itself; by `performance.now()`. */
  #printed: { readonly first: number; readonly last: number } | undefined;
  #failure = "";
  #isDisposed = false;

  /**
   * Indexes everything that is recorded and not indexed yet, a little later or with the first search: shells that start with
   * the relay come first.
   *
   * @param onIndexed called each time that something was indexed
   */
  constructor(index: Pick<IndexThread, "call">, log: Pick<Log, "warn">, onIndexed: () => void = () => undefined) {
    this.#index = index;
    this.#log = log;
    this.#onIndexed = onIndexed;
    this.#indexSoon();
  }

  /** Takes in what is recorded, and what is recorded no longer. Resolves with whether the index has all of it. */
  catchUp(): Promise<boolean> {
    const caughtUp = this.#call({ method: "catchUp" }).then((isDone) => {
      if (!isDone && this.#caughtUp === caughtUp) this.#caughtUp = undefined;
      return isDone;
    });
    this.#caughtUp = caughtUp;
    return caughtUp;
  }

  /**
   * Forgets what is recorded no longer. Resolves when no search finds it; the file of the index gets shorter after that, which
   * may take minutes, for which no search waits.
   */
  async forgetRemoved(): Promise<void> {
    if (await this.catchUp()) void this.#call({ method: "tidy" });
  }

  /** The thread of the index has ended: what it had may be gone, and is looked at again by the next search. */
  indexEnded(): void {
    this.#caughtUp = undefined;
    this.#noted.clear();
  }

  /** Indexes a shell that has printed, a little later. */
  later(owner: SegmentOwner): void {
    this.#stale.set(keyOf(owner), owner);
    this.#indexSoon();
  }

  #indexSoon(): void {
    const last = performance.now();
    this.#printed = { first: this.#printed?.first ?? last, last };
    this.#timer ??= setTimeout(() => this.#indexOrWait(), QUIET_MS).unref();
  }

  /**
   * Indexes what shells have printed up to now. Resolves with whether all of it is indexed, after `ms` at the latest.
   *
   * @param session only its shells; undefined: all
   * @param noted the session's shells, and how much is noted of each: a shell may have printed without having told so yet
   * @param waiting bytes that the disk has not taken: what is noted is read again once it has them
   */
  async settle(
    session: string | undefined,
    {
      noted,
      waiting = 0,
      ms,
    }: {
      readonly noted: readonly (readonly [shell: number, amount: number])[];
      readonly waiting?: number;
      readonly ms: number;
    },
  ): Promise<boolean> {
    for (const [shell, amount] of session === undefined ? [] : noted) {
      const owner = { session: session ?? "", shell };
      const key = keyOf(owner);
      if (this.#noted.get(key) === amount) continue;
      if (waiting === 0) this.#noted.set(key, amount);
      this.#stale.set(key, owner);
    }
    const isMeant = ([, owner]: readonly [string, SegmentOwner]) => (session ?? owner.session) === owner.session;
    for (const [, owner] of [...this.#stale].filter(isMeant)) void this.#add(owner);
    const running = [...this.#running].filter(([key]) => session === undefined || key.startsWith(`${session} `));
    const all = Promise.all([this.#caughtUp ?? this.catchUp(), ...running.map(([, add]) => add)]);
    return withDeadline(all, ms, () => new Error("it takes longer")).then(
      (done) => waiting === 0 && done.every(Boolean),
      () => false,
    );
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
  }

  #indexOrWait(): void {
    const now = performance.now();
    const { first, last } = this.#printed ?? { first: now, last: now };
    const waitMs = Math.min(last + QUIET_MS, first + INDEX_WITHIN_MS) - now;
    // Timers may fire a little early.
    if (waitMs > 1) {
      this.#timer = setTimeout(() => this.#indexOrWait(), waitMs).unref();
      return;
    }
    this.#timer = undefined;
    this.#printed = undefined;
    void this.#indexStale();
  }

  /** One after another, so that a shell that is searched meanwhile comes before those that wait. */
  async #indexStale(): Promise<void> {
    if (this.#caughtUp === undefined) await this.catchUp();
    for (const [key, owner] of [...this.#stale]) if (this.#stale.has(key)) await this.#add(owner);
  }

  async #add(owner: SegmentOwner): Promise<boolean> {
    const key = keyOf(owner);
    this.#stale.delete(key);
    const added = this.#call({ method: "add", owner });
    this.#running.set(key, added);
    const isDone = await added;
    if (this.#running.get(key) === added) this.#running.delete(key);
    // The next search tries it again.
    if (!isDone) this.#noted.delete(key);
    return isDone;
  }

  /** Resolves with whether it was done; why not is logged. */
  async #call(request: Parameters<IndexThread["call"]>[0]): Promise<boolean> {
    // A call would start the thread again, beside the one that follows with another key, other rules or another bound.
    if (this.#isDisposed) return false;
    try {
      await this.#index.call(request);
      this.#failure = "";
      this.#onIndexed();
      return true;
    } catch (error) {
      const failure = errorText(error);
      // A search tries it again and again.
      if (failure !== this.#failure) this.#log.warn(`The history could not be indexed: ${failure}`);
      this.#failure = failure;
      return false;
    }
  }
}

function keyOf({ session, shell }: SegmentOwner): string {
  return `${session} ${shell}`;
}
