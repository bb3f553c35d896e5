import type Database from "libsql";
import { RemoteError } from "../../../core/protocol/errors.ts";

/** What SQLite says when the disk, not the statement, is at fault. */
const DISK = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/;

/**
 * Has every statement that the disk refuses fail with `storage_failed`, whichever room it belongs to. A statement that
 * fails has changed nothing.
 */
export function mapDiskErrors(database: Database.Database): void {
  const prepare = database.prepare.bind(database);
  const telling = (sql: string) => {
    const statement = prepare(sql);
    for (const method of ["run", "get", "all"] as const) {
      const plain = statement[method].bind(statement) as (...values: unknown[]) => never;
      statement[method] = (...values: unknown[]) => {
        try {
          return plain(...values);
        } catch (error) {
          throw diskFault(error) ?? error;
        }
      };
    }
    return statement;
  };
  database.prepare = telling as Database.Database["prepare"];
}

function diskFault(error: unknown): RemoteError | undefined {
  const code = String((error as { code?: unknown }).code);
  if (!DISK.test(code)) return undefined;
  const why = code.startsWith("SQLITE_READONLY")
    ? "the data folder is read-only: make it writable"
    : "the disk is full or failing: free some space";
  return new RemoteError("storage_failed", `Nothing was saved, because ${why}, then try again.`, { cause: error });
}
