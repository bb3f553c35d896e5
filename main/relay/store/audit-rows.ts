import { z } from "zod";
import { AuditEntry, type AuditQuery } from "../../../core/protocol/audit.ts";
import { json } from "./columns.ts";
import type { StoreDatabase } from "./open-store.ts";

const MOST_ROWS = 100_000;
const RETENTION_DAYS = 90;

export type NewAuditEntry = Omit<AuditEntry, "id">;

const COLUMNS = `id, at, kind, who, credential, address AS "from", session, action, params, outcome, client,
  duration_ms AS durationMs, count`;

/** Table `audit`. */
export class AuditRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Adds entries in one transaction and returns their ids. `repeated` sets new counts of earlier entries. */
  add(
    entries: readonly NewAuditEntry[],
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

  /** Returns the entries that match, newest first. */
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
    const statement = this.#database.prepare(`SELECT ${COLUMNS} FROM audit ${condition} ORDER BY id DESC LIMIT ?`);
    return z.array(Row).parse(statement.all([...values, limit]));
  }

  /** Removes entries older than 90 days, and the oldest beyond 100 000. */
  trim(now: Date): void {
    const oldest = new Date(now.getTime() - RETENTION_DAYS * 86_400_000).toISOString();
    this.#database
      .prepare("DELETE FROM audit WHERE at < ? OR id <= (SELECT max(id) FROM audit) - ?")
      .run([oldest, MOST_ROWS]);
  }
}

const Row = AuditEntry.extend({ params: json(AuditEntry.shape.params) });

function valuesOf(entry: NewAuditEntry): (string | number | null)[] {
  const { at, kind, who, credential, from, session, action, params, outcome, client, durationMs, count } = entry;
  return [at, kind, who, credential, from, session, action, JSON.stringify(params), outcome, client, durationMs, count];
}
