import { RemoteError } from "../../../core/protocol/errors.ts";

/** What one caller may have open in one session at a time. */
const MOST = {
  wait: { open: 64, what: "waits (`waitFor`, `runCommand` with `wait`)" },
  read: { open: 64, what: "reads of output or conversations" },
  stream: { open: 64, what: "streams of events or output" },
  upload: { open: 2, what: "uploads" },
} as const;

/** Reads of one caller that run at the same time; further ones wait for their turn. */
const READS_AT_ONCE = 2;
/**
 * For this many times as long as a read took its place stays taken, while others of the caller wait: reading all the time
 * is to leave most of the processors to other callers. A caller that reads one after the other has the second place.
 */
const REST_FACTOR = 2;
const LONGEST_REST_MS = 1000;

type BudgetKind = keyof typeof MOST;

interface Use {
  readonly open: Record<BudgetKind, number>;
  reading: number;
  readonly waiting: (() => void)[];
}

/**
 * Limits what each caller may have open in a session, so that none takes the share of the others. A caller is a key, a
 * shell, a guest, or a client without a credential.
 */
export class CallerBudgets {
  readonly #uses = new Map<string, Use>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Counts something as open. Returns the function that closes it.
   *
   * @throws RemoteError `too_many_requests`
   */
  open(caller: string, kind: BudgetKind): () => void {
    const use = this.#entryOf(caller);
    const { open, what } = MOST[kind];
    if (use.open[kind] >= open) {
      throw new RemoteError(
        "too_many_requests",
        `You have ${open} ${what} open, the limit for one caller: let some of them end first.`,
      );
    }
    use.open[kind] += 1;
    let isOpen = true;
    return () => {
      if (isOpen) use.open[kind] -= 1;
      isOpen = false;
      this.#forgetUnused(caller, use);
    };
  }

  /** Runs a read in its turn. Rejects with `too_many_requests` when too many are open. */
  async read<T>(caller: string, run: () => Promise<T>): Promise<T> {
    const close = this.open(caller, "read");
    const use = this.#entryOf(caller);
    try {
      if (use.reading >= READS_AT_ONCE) await new Promise<void>((resolve) => use.waiting.push(resolve));
      else use.reading += 1;
      const startedAt = this.#now();
      try {
        return await run();
      } finally {
        const restMs = Math.min((this.#now() - startedAt) * REST_FACTOR, LONGEST_REST_MS);
        if (restMs < 1) this.#endRead(caller, use);
        else setTimeout(() => this.#endRead(caller, use), restMs).unref();
      }
    } finally {
      close();
    }
  }

  /** Gives the place of a read to the next one that waits. */
  #endRead(caller: string, use: Use): void {
    const next = use.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    use.reading -= 1;
    this.#forgetUnused(caller, use);
  }

  /** Runs a wait. Rejects with `too_many_requests` when too many are open. */
  async wait<T>(caller: string, run: () => Promise<T>): Promise<T> {
    const close = this.open(caller, "wait");
    try {
      return await run();
    } finally {
      close();
    }
  }

  #entryOf(caller: string): Use {
    const known = this.#uses.get(caller);
    if (known !== undefined) return known;
    const use: Use = { open: { wait: 0, read: 0, stream: 0, upload: 0 }, reading: 0, waiting: [] };
    this.#uses.set(caller, use);
    return use;
  }

  #forgetUnused(caller: string, { open, reading }: Use): void {
    if (reading === 0 && Object.values(open).every((count) => count === 0)) this.#uses.delete(caller);
  }
}
