import { z } from "zod";
import { AuditEntry, type AuditQuery } from "../../../core/protocol/audit.ts";
import type { StoreDatabase } from "../store/open-store.ts";

/** Older entries go, whichever limit is reached first. */
const MOST_ROWS = 100_000;
const KEPT_DAYS = 90;

export type NewEntry = Omit<AuditEntry, "id">;

/** The audit log on disk. */
export class AuditRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Adds entries in one transaction; answers their ids. `repeated` counts entries up that are there already. */
  add(
    entries: readonly NewEntry[],
    repeated: readonly { readonly id: number; readonly count: number }[] = [],
  ): number[] {
    const insert = this.#database.prepare(
      `INSERT INTO audit (at, kind, who, credential, address, session, action, params, outcome, client, duration_ms, count)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    const recount = this.#database.prepare("UPDATE audit SET count = ? WHERE id = ?");
    const ids: number[] = [];
    this.#database.transaction(() => {
      for (const entry of entries) ids.push(Number(insert.run(valuesOf(entry)).lastInsertRowid));
      for (const { id, count } of repeated) recount.run([count, id]);
    })();
    return ids;
  }

  /** The newest first. */
  list({ before, limit, session, kind, outcome, text }: AuditQuery): AuditEntry[] {
    const [where, values]: [string[], (string | number)[]] = [[], []];
    const add = (condition: string, ...given: (string | number)[]) => {
      where.push(condition);
      values.push(...given);
    };
    if (before !== undefined) add("id < ?", before);
    if (session !== undefined) add("session = ?", session);
    if (kind !== undefined) add("kind = ?", kind);
    if (outcome === "failed") add("outcome <> 'ok'");
    else if (outcome !== undefined) add("outcome = ?", outcome);
    if (text !== undefined && text !== "") {
      const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
      const columns = ["who", "action", "params", "outcome", "address"];
      add(`(${columns.map((column) => `${column} LIKE ? ESCAPE '\\'`).join(" OR ")})`, ...columns.map(() => pattern));
    }
    const condition = where.length === 0 ? "" : `WHERE ${where.join(" AND ")}`;
    return this.#database
      .prepare(`SELECT * FROM audit ${condition} ORDER BY id DESC LIMIT ?`)
      .all([...values, limit])
      .map((row) => Columns.parse(row));
  }

  /** Drops what is too old or too much. */
  trim(now: Date): void {
    const oldest = new Date(now.getTime() - KEPT_DAYS * 86_400_000).toISOString();
    this.#database
      .prepare("DELETE FROM audit WHERE at < ? OR id <= (SELECT max(id) FROM audit) - ?")
      .run([oldest, MOST_ROWS]);
  }
}

function valuesOf(entry: NewEntry): (string | number | null)[] {
  const { at, kind, who, credential, from, session, action, params, outcome, client, durationMs, count } = entry;
  return [at, kind, who, credential, from, session, action, JSON.stringify(params), outcome, client, durationMs, count];
}

const Columns = z
  .looseObject({ address: z.string(), params: z.string(), duration_ms: z.int().nullable() })
  .transform(({ address, params, duration_ms, ...row }) =>
    AuditEntry.parse({ ...row, from: address, params: JSON.parse(params) as unknown, durationMs: duration_ms }),
  );
