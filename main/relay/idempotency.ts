import { createHash } from "node:crypto";
import { RemoteError } from "../../core/protocol/errors.ts";

const KEPT_MS = 10 * 60_000;
const MOST = 10_000;

interface Entry<T> {
  readonly body: string;
  readonly answer: Promise<T>;
  readonly at: number;
}

/** Requests that carry an `Idempotency-Key` are executed once in 10 minutes; later ones get the same answer again. */
export class Idempotency<T> {
  readonly #entries = new Map<string, Entry<T>>();

  /**
   * Runs the request, unless its key has run before. Throws `idempotency_conflict` for the same key with another body.
   * `owner` separates the keys of different callers.
   */
  async once(
    owner: string,
    key: string,
    body: unknown,
    run: () => Promise<T>,
  ): Promise<{ answer: T; replayed: boolean }> {
    this.#dropOld();
    const id = `${owner}\n${key}`;
    const digest = createHash("sha256").update(JSON.stringify(body)).digest("base64");
    const known = this.#entries.get(id);
    if (known !== undefined) {
      if (known.body === digest) return { answer: await known.answer, replayed: true };
      throw new RemoteError("idempotency_conflict", "This Idempotency-Key was used with another body: use a new key.");
    }
    const answer = run();
    this.#entries.set(id, { body: digest, answer, at: Date.now() });
    return { answer: await answer, replayed: false };
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
