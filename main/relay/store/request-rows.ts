import { z } from "zod";
import { type ErrorCode, errorTable, RemoteError } from "../../../core/protocol/errors.ts";
import { ClientId, ShellId, TileKey } from "../../../core/protocol/ids.ts";
import type { Outcome } from "../../../core/protocol/outcome.ts";
import type { StoreDatabase } from "./open-store.ts";

/** Requests with an `Idempotency-Key`, on disk from before their execution on. */
export class RequestRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  begin(id: string, body: string): void {
    this.#database
      .prepare("INSERT OR REPLACE INTO requests (id, body, at) VALUES (?, ?, ?)")
      .run([id, body, new Date().toISOString()]);
  }

  finish(id: string, answer: Outcome): void {
    this.#database.prepare("UPDATE requests SET answer = ? WHERE id = ?").run([JSON.stringify(written(answer)), id]);
  }

  /** What a full disk keeps here is old when it is loaded. */
  forget(id: string): void {
    try {
      this.#database.prepare("DELETE FROM requests WHERE id = ?").run([id]);
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
    }
  }

  load() {
    const now = Date.now();
    return this.#database
      .prepare("SELECT id, body, at, answer FROM requests ORDER BY at, rowid")
      .all()
      .map((row) => {
        const { id, body, at, answer } = Row.parse(row);
        return { id, body, ageMs: now - Date.parse(at), answer: answer === null ? undefined : outcomeOf(answer) };
      });
  }
}

const Row = z.object({ id: z.string(), body: z.string(), at: z.string(), answer: z.string().nullable() });

const Written = z.object({
  error: z
    .object({ code: z.enum(Object.keys(errorTable) as [ErrorCode]).catch("internal"), message: z.string() })
    .optional(),
  client: ClientId.optional(),
  value: z.unknown().optional(),
  hit: z.object({ tile: TileKey.optional(), shell: ShellId.optional() }).optional(),
});

function written(outcome: Outcome): z.input<typeof Written> {
  if (!("error" in outcome)) return outcome;
  const { code, message } = outcome.error;
  return { error: { code, message }, client: outcome.client };
}

/** Undefined for what an older version wrote differently. */
function outcomeOf(text: string): Outcome | undefined {
  const { data } = Written.safeParse(JSON.parse(text));
  if (data?.error !== undefined) {
    return { error: new RemoteError(data.error.code, data.error.message), client: data.client };
  }
  if (data?.client === undefined || data.hit === undefined) return undefined;
  return { value: data.value, client: data.client, hit: data.hit };
}
