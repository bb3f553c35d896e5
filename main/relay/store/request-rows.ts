import { z } from "zod";
import { type ErrorCode, errorTable, RemoteError } from "../../../core/protocol/errors.ts";
import { ClientId, ShellId, TileKey } from "../../../core/protocol/ids.ts";
import type { Outcome } from "../../../core/protocol/outcome.ts";
import { json } from "./columns.ts";
import { ignoreDiskErrors } from "./disk-errors.ts";
import type { StoreDatabase } from "./open-store.ts";

/** Table `requests`: requests with an `Idempotency-Key`, written before they are executed. */
export class RequestRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Returns all requests, oldest first. `answer` is undefined for one that was interrupted. */
  list(): { id: string; body: string; ageMs: number; answer: Outcome | undefined }[] {
    const now = Date.now();
    const statement = this.#database.prepare("SELECT id, body, at, answer FROM requests ORDER BY at, rowid");
    return z
      .array(RequestRow)
      .parse(statement.all([]))
      .map(({ id, body, at, answer }) => ({ id, body, ageMs: now - Date.parse(at), answer: outcomeOf(answer) }));
  }

  begin(id: string, body: string): void {
    this.#database
      .prepare("INSERT OR REPLACE INTO requests (id, body, at) VALUES (?, ?, ?)")
      .run([id, body, new Date().toISOString()]);
  }

  /** Returns the length of the answer as it was stored. */
  finish(id: string, answer: Outcome): number {
    const text = JSON.stringify(storedOf(answer));
    this.#database.prepare("UPDATE requests SET answer = ? WHERE id = ?").run([text, id]);
    return text.length;
  }

  /** Removes a request. A row that the disk does not let go is expired when it is listed. */
  remove(id: string): void {
    const statement = this.#database.prepare("DELETE FROM requests WHERE id = ?");
    ignoreDiskErrors(() => statement.run([id]));
  }
}

const StoredOutcome = z.object({
  error: z
    .object({ code: z.enum(Object.keys(errorTable) as [ErrorCode]).catch("internal"), message: z.string() })
    .optional(),
  client: ClientId.optional(),
  value: z.unknown().optional(),
  hit: z.object({ tile: TileKey.optional(), shell: ShellId.optional() }).optional(),
});

const RequestRow = z.object({
  id: z.string(),
  body: z.string(),
  at: z.string(),
  /** Null until the request has finished, and for an outcome that an older version stored differently. */
  answer: json(StoredOutcome).nullable().catch(null),
});

function storedOf(outcome: Outcome): z.input<typeof StoredOutcome> {
  if (!("error" in outcome)) return outcome;
  const { code, message, hit } = outcome.error;
  return { error: { code, message }, client: outcome.client, hit };
}

function outcomeOf(stored: z.output<typeof StoredOutcome> | null): Outcome | undefined {
  if (stored?.error !== undefined) {
    const { error, client, hit } = stored;
    return { error: new RemoteError(error.code, error.message, { hit }), client };
  }
  if (stored?.hit === undefined) return undefined;
  return { value: stored.value, client: stored.client, hit: stored.hit };
}
