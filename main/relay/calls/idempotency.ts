import { createHash } from "node:crypto";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { isRecord } from "../../../core/protocol/json-value.ts";
import { ignoreDiskErrors } from "../store/disk-errors.ts";

const KEPT_MS = 10 * 60_000;
/** Beyond this number, the caller with the most requests loses the oldest of them: nobody uses up the others' share. */
const MOST = 10_000;
/** Length of the answers that are kept for one caller. */
const MOST_KEPT = 32 * 1024 * 1024;

interface Entry<T> {
  readonly owner: string;
  readonly body: string;
  /**
   * Undefined for a request that an earlier run did not finish: whether it was executed is unknown. Undefined, too, for an
   * answer that had to give way to later ones of its caller.
   */
  answer: Promise<T> | undefined;
  /** Length of the kept answer as JSON. */
  weight: number;
  /** Milliseconds of the monotonic clock, because a jump of the wall clock must not run a request twice. */
  readonly at: number;
}

/** What is kept for one caller. */
interface Caller {
  /** Ids of its requests, oldest first. */
  readonly ids: Set<string>;
  /** Length of its answers. */
  kept: number;
}

interface Request<T> {
  /** Separates the keys of different callers. */
  readonly owner: string;
  readonly key: string;
  readonly body: unknown;
  readonly run: () => Promise<T>;
  /** Returns whether an answer means that the request was executed. Any other request is forgotten at once. */
  readonly counts: (answer: T) => boolean;
  /** False for an answer that must not be stored: after a restart it is unknown. */
  readonly keeps?: boolean;
}

/** Stores requests before they are executed, so that a restart does not execute them again. */
interface RequestJournal<T> {
  begin(id: string, body: string): void;
  /** Returns the length of the answer as it was stored. */
  finish(id: string, answer: T): number;
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
  readonly #callers = new Map<string, Caller>();
  readonly #journal: RequestJournal<T>;

  constructor(journal: RequestJournal<T>) {
    this.#journal = journal;
    for (const { id, body, ageMs, answer } of journal.list()) {
      const at = performance.now() - Math.max(0, ageMs);
      const owner = id.slice(0, id.lastIndexOf("\n"));
      const entry = { owner, body, at, answer: answer === undefined ? undefined : Promise.resolve(answer), weight: 0 };
      this.#add(id, entry);
      if (answer !== undefined) this.#weigh(entry, JSON.stringify(answer).length);
    }
    this.#dropOld();
  }

  /**
   * Runs the request, unless its key has run before. Throws `idempotency_conflict` for the same key with another body,
   * `idempotency_unknown` if the relay was interrupted while it ran, `storage_failed` if it cannot be stored.
   */
  async once({ owner, key, body, run, counts, keeps = true }: Request<T>): Promise<{ answer: T; replayed: boolean }> {
    this.#dropOld();
    const id = `${owner}\n${key}`;
    const digest = createHash("sha256").update(canonicalJson(body)).digest("base64");
    const known = this.#entries.get(id);
    if (known !== undefined) return { answer: await answerOf(known, digest), replayed: true };
    this.#journal.begin(id, digest);
    const running = run();
    const entry: Entry<T> = { owner, body: digest, answer: running, weight: 0, at: performance.now() };
    this.#add(id, entry);
    let executed = false;
    try {
      const answer = await running;
      executed = counts(answer);
      if (executed && keeps) this.#finish(id, entry, answer);
      return { answer, replayed: false };
    } finally {
      if (!executed && this.#entries.get(id) === entry) this.#forget(id);
    }
  }

  /** Stores the answer. If that fails, the caller still gets it; after a restart it is `idempotency_unknown`. */
  #finish(id: string, entry: Entry<T>, answer: T): void {
    ignoreDiskErrors(() => {
      const weight = this.#journal.finish(id, answer);
      // It may have been dropped while it ran.
      if (this.#entries.get(id) === entry) this.#weigh(entry, weight);
    });
    this.#dropAnswers(entry.owner);
  }

  /** Drops the oldest answers of a caller that has too many. What they answered is still not executed again. */
  #dropAnswers(owner: string): void {
    const caller = this.#callers.get(owner);
    for (const id of caller?.ids ?? []) {
      const entry = this.#entries.get(id);
      if (caller === undefined || caller.kept <= MOST_KEPT) return;
      if (entry === undefined || entry.weight === 0) continue;
      entry.answer = undefined;
      this.#weigh(entry, 0);
      ignoreDiskErrors(() => this.#journal.begin(id, entry.body));
    }
  }

  #weigh(entry: Entry<T>, weight: number): void {
    const caller = this.#callers.get(entry.owner);
    if (caller !== undefined) caller.kept += weight - entry.weight;
    entry.weight = weight;
  }

  /** Entries are in the order of their creation. */
  #dropOld(): void {
    const oldest = performance.now() - KEPT_MS;
    for (const [id, { at }] of this.#entries) {
      if (at > oldest) break;
      this.#forget(id);
    }
    while (this.#entries.size >= MOST) this.#forget(this.#dispensable());
  }

  /** Returns the oldest request of the caller with the most. */
  #dispensable(): string {
    let most: ReadonlySet<string> = new Set();
    for (const { ids } of this.#callers.values()) if (ids.size > most.size) most = ids;
    const [oldest = ""] = most;
    return oldest;
  }

  #add(id: string, entry: Entry<T>): void {
    this.#entries.set(id, entry);
    const caller = this.#callers.get(entry.owner) ?? { ids: new Set(), kept: 0 };
    this.#callers.set(entry.owner, caller);
    caller.ids.add(id);
  }

  #forget(id: string): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) {
      this.#weigh(entry, 0);
      const caller = this.#callers.get(entry.owner);
      caller?.ids.delete(id);
      if (caller?.ids.size === 0) this.#callers.delete(entry.owner);
    }
    this.#entries.delete(id);
    this.#journal.remove(id);
  }
}

/** JSON with sorted keys: objects have no order, and some languages write them in another one each time. */
function canonicalJson(body: unknown): string {
  return JSON.stringify(body, (_key, value: unknown) => (isRecord(value) ? sorted(value) : value));
}

function sorted(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function answerOf<T>({ body, answer }: Entry<T>, digest: string): Promise<T> {
  if (body !== digest) {
    throw new RemoteError("idempotency_conflict", "This Idempotency-Key was used with another body: use a new key.");
  }
  if (answer !== undefined) return answer;
  throw new RemoteError(
    "idempotency_unknown",
    "The relay was cut off while it executed this request, or no longer keeps its answer: look whether it was done, then use a new Idempotency-Key.",
  );
}
