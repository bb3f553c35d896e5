import { statSync } from "node:fs";
import Database from "libsql";
import { z } from "zod";

/** A writer's lock is waited for no longer than this: the next reading comes within a second. */
const BUSY_MS = 50;

/**
 * Opens an agent's SQLite database for reading, beside the agent that may be writing to it. A view or a virtual table in the
 * place of a table could compute without an end. A database without content is left alone: the agent that makes it ends with
 * "database is locked" if anybody reads while it turns the log on.
 *
 * @throws Error when it is no such database, or empty
 */
export function openReadOnly(path: string, tables: readonly string[]): Database.Database {
  if (statSync(path).size === 0) throw new Error("it is empty");
  const database = new Database(path, { readonly: true, timeout: BUSY_MS });
  try {
    database.pragma("trusted_schema = OFF");
    const plain = database.prepare(`SELECT count(*) AS count FROM sqlite_master WHERE type = 'table' AND name = ?
      AND sql LIKE 'CREATE TABLE %' AND sql NOT LIKE '%generated always%' AND sql NOT LIKE '% as (%'`);
    for (const table of tables) {
      if (Count.parse(plain.get([table])).count !== 1) throw new Error(`it has no table ${table}`);
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const Count = z.object({ count: z.int() });
