import { createHash } from "node:crypto";
import { RemoteError } from "../../core/protocol/errors.ts";

const KEPT_MS = 10 * 60_000;
const MOST = 10_000;

interface Entry<T> {
  readonly body: string;
  readonly answer: Promise<T>;
  readonly at: number;
}

interface Request<T> {
  /** Separates the keys of different callers. */
  readonly owner: string;
  readonly key: string;
  readonly body: unknown;
  readonly run: () => Promise<T>;
  /** Whether an answer means that something was executed; one that does not is forgotten at once. */
  readonly counts: (answer: T) => boolean;
}

/** Requests that carry an `Idempotency-Key` are executed once in 10 minutes; later ones get the same answer again. */
export class Idempotency<T> {
  readonly #entries = new Map<string, Entry<T>>();

  /** Runs the request, unless its key has run before. Throws `idempotency_conflict` for the same key with another body. */
  async once({ owner, key, body, run, counts }: Request<T>): Promise<{ answer: T; replayed: boolean }> {
    this.#dropOld();
    const id = `${owner}\n${key}`;
    const digest = createHash("sha256").update(JSON.stringify(body)).digest("base64");
    const known = this.#entries.get(id);
    if (known !== undefined) {
      if (known.body === digest) return { answer: await known.answer, replayed: true };
      throw new RemoteError("idempotency_conflict", "This Idempotency-Key was used with another body: use a new key.");
    }
    const entry: Entry<T> = { body: digest, answer: run(), at: Date.now() };
    this.#entries.set(id, entry);
    let executed = false;
    try {
      const answer = await entry.answer;
      executed = counts(answer);
      return { answer, replayed: false };
    } finally {
      if (!executed && this.#entries.get(id) === entry) this.#entries.delete(id);
    }
  }

  /** Entries stand in the order of their making, so the old ones are in front. */
  #dropOld(): void {
    const oldest = Date.now() - KEPT_MS;
    for (const [id, { at }] of this.#entries) {
      if (at > oldest && this.#entries.size < MOST) break;
      this.#entries.delete(id);
    }
  }
}
