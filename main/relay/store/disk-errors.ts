import type Database from "libsql";
import { errorText } from "../../../core/protocol/error-text.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";

/** Error codes of SQLite for which the disk, or another process, is the cause, and not the statement. */
const DISK = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY)/;

const WHY = [
  ["SQLITE_READONLY", "the data folder is read-only: make it writable"],
  ["SQLITE_BUSY", "another program holds the database patchbay.db in the data folder: end that program"],
] as const;

/** Returns whether an error says that the database is none, or no longer what was written. */
export function isDamage(error: unknown): boolean {
  return /not a database|malformed|corrupt|SQLITE_NOTADB|SQLITE_CORRUPT/i.test(
    `${errorText(error)} ${(error as { code?: string }).code ?? ""}`,
  );
}

/**
 * Makes every statement of the database throw `storage_failed` when the disk refuses it, and when it meets damage. A statement
 * that fails has changed nothing.
 *
 * @param damaged called with what is damaged
 */
export function mapDiskErrors(database: Database.Database, damaged?: (error: unknown) => void): void {
  const prepare = database.prepare.bind(database);
  const prepareMapped = (sql: string) => {
    const statement = prepare(sql);
    for (const method of ["run", "get", "all"] as const) {
      const plain = statement[method].bind(statement) as (...values: unknown[]) => never;
      statement[method] = (...values: unknown[]) => {
        try {
          return plain(...values);
        } catch (error) {
          if (isDamage(error)) damaged?.(error);
          throw diskError(error) ?? error;
        }
      };
    }
    return statement;
  };
  database.prepare = prepareMapped as Database.Database["prepare"];
}

/** Runs a write that may be skipped while the disk refuses writes. */
export function ignoreDiskErrors(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof RemoteError && error.code === "storage_failed")) throw error;
  }
}

function diskError(error: unknown): RemoteError | undefined {
  if (isDamage(error)) {
    const what = `The database is damaged (${errorText(error)}): restart Patchbay, which puts it aside and starts a new one.`;
    return new RemoteError("storage_failed", what, { cause: error });
  }
  const code = String((error as { code?: unknown }).code);
  if (!DISK.test(code)) return undefined;
  const why = WHY.find(([start]) => code.startsWith(start))?.[1] ?? "the disk is full or failing: free some space";
  return new RemoteError("storage_failed", `Nothing was saved, because ${why}, then try again.`, { cause: error });
}
