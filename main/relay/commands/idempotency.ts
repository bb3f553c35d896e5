import { createHash } from "node:crypto";
import { RemoteError } from "../../../core/protocol/errors.ts";

const KEPT_MS = 10 * 60_000;
const MOST = 10_000;

interface Entry<T> {
  readonly body: string;
  /** Undefined for a request that an earlier run did not finish: whether it was executed is unknown. */
  readonly answer: Promise<T> | undefined;
  /** Milliseconds of the monotonic clock, because a jump of the wall clock must not run a request twice. */
  readonly at: number;
}

interface Request<T> {
  /** Separates the keys of different callers. */
  readonly owner: string;
  readonly key: string;
  readonly body: unknown;
  readonly run: () => Promise<T>;
  /** Returns whether an answer means that the request was executed. Any other request is forgotten at once. */
  readonly counts: (answer: T) => boolean;
}

/** Stores requests before they are executed, so that a restart does not execute them again. */
export interface RequestJournal<T> {
  begin(id: string, body: string): void;
  finish(id: string, answer: T): void;
  remove(id: string): void;
  /** Returns the requests of earlier runs. One without an answer was interrupted. */
  list(): { readonly id: string; readonly body: string; readonly ageMs: number; readonly answer: T | undefined }[];
}

/**
 * Executes requests with an `Idempotency-Key` once in 10 minutes, restarts included. A repeated request gets the same
 * answer.
 */
export class Idempotency<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #journal: RequestJournal<T>;

  constructor(journal: RequestJournal<T>) {
    this.#journal = journal;
    for (const { id, body, ageMs, answer } of journal.list()) {
      const at = performance.now() - Math.max(0, ageMs);
      this.#entries.set(id, { body, at, answer: answer === undefined ? undefined : Promise.resolve(answer) });
    }
    this.#dropOld();
  }

  /**
   * Runs the request, unless its key has run before. Throws `idempotency_conflict` for the same key with another body,
   * `idempotency_unknown` if the relay was interrupted while it ran, `storage_failed` if it cannot be stored.
   */
  async once({ owner, key, body, run, counts }: Request<T>): Promise<{ answer: T; replayed: boolean }> {
    this.#dropOld();
    const id = `${owner}\n${key}`;
    const digest = createHash("sha256").update(JSON.stringify(body)).digest("base64");
    const known = this.#entries.get(id);
    if (known !== undefined) return { answer: await answerOf(known, digest), replayed: true };
    this.#journal.begin(id, digest);
    const entry = { body: digest, answer: run(), at: performance.now() };
    this.#entries.set(id, entry);
    let executed = false;
    try {
      const answer = await entry.answer;
      executed = counts(answer);
      if (executed) this.#finish(id, answer);
      return { answer, replayed: false };
    } finally {
      if (!executed && this.#entries.get(id) === entry) this.#forget(id);
    }
  }

  /** Stores the answer. If that fails, the caller still gets it; after a restart it is `idempotency_unknown`. */
  #finish(id: string, answer: T): void {
    try {
      this.#journal.finish(id, answer);
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
    }
  }

  /** Entries are in the order of their creation. */
  #dropOld(): void {
    const oldest = performance.now() - KEPT_MS;
    for (const [id, { at }] of this.#entries) {
      if (at > oldest && this.#entries.size < MOST) break;
      this.#forget(id);
    }
  }

  #forget(id: string): void {
    this.#entries.delete(id);
    this.#journal.remove(id);
  }
}

async function answerOf<T>({ body, answer }: Entry<T>, digest: string): Promise<T> {
  if (body !== digest) {
    throw new RemoteError("idempotency_conflict", "This Idempotency-Key was used with another body: use a new key.");
  }
  if (answer !== undefined) return answer;
  throw new RemoteError(
    "idempotency_unknown",
    "The relay was cut off while it executed this request: look whether it was done, then use a new Idempotency-Key.",
  );
}
