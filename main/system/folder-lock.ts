import { chmodSync, readFileSync, rmSync, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import Database from "libsql";
import { z } from "zod";
import { errorText } from "../../core/protocol/error-text.ts";
import { processStart } from "./processes/process-start.ts";
import { writeAtomically } from "./write-atomically.ts";

const LOCK_FILE = "lock.db";
const HOLDER_FILE = "lock.json";

const LockHolder = z.object({
  pid: z.int().positive(),
  /**
   * Start time of the process, which distinguishes it from a later one with the same id; null where the system does not
   * report it.
   */
  startedAt: z.string().nullable(),
  /** `relay`: held for as long as the relay runs. `command`: held for moments. */
  purpose: z.enum(["relay", "command"]),
});
type LockHolder = z.infer<typeof LockHolder>;

/** Locks that this process holds: a lock that is garbage-collected is released. */
const held = new Set<FolderLock>();

/**
 * An exclusive lock on a data folder. The operating system releases it when the process ends, however it ends.
 *
 * Node has no `flock`, so the lock is an exclusive transaction of SQLite on a database that stays empty: `fcntl` locks on
 * Linux and macOS, `LockFileEx` on Windows. SQLite opens the file close-on-exec and child processes do not inherit
 * `fcntl` locks. The kernel drops them as soon as this process closes any other handle of the same file: never open
 * `lock.db` elsewhere.
 */
export class FolderLock {
  readonly #folder: string;
  readonly #database: Database.Database;
  readonly #folderId: string;
  readonly #fileId: string;

  private constructor(folder: string, database: Database.Database) {
    this.#folder = folder;
    this.#database = database;
    this.#folderId = idOf(statSync(folder, { bigint: true }));
    this.#fileId = idOf(statSync(join(folder, LOCK_FILE), { bigint: true }));
  }

  /**
   * Takes the lock of a folder that exists. Returns undefined when another process, or this one, holds it.
   *
   * @throws an Error whose message names the file when it cannot be opened or is not a lock file
   */
  static take(folder: string, purpose: LockHolder["purpose"]): FolderLock | undefined {
    const database = openLocked(join(folder, LOCK_FILE));
    if (database === undefined) return undefined;
    try {
      const lock = new FolderLock(folder, database);
      held.add(lock);
      noteHolder(folder, purpose);
      return lock;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Why the lock no longer protects the folder, as the end of a sentence; undefined while it does. */
  async lossReason(): Promise<string | undefined> {
    const [folder, file] = await Promise.all([idAt(this.#folder), idAt(join(this.#folder, LOCK_FILE))]);
    if (folder === "missing") return "it was deleted or moved away";
    if (folder !== "unknown" && folder !== this.#folderId) return "it was replaced by another folder";
    if (file === "missing") return `its ${LOCK_FILE} was deleted`;
    if (file !== "unknown" && file !== this.#fileId) return `its ${LOCK_FILE} was replaced`;
    return undefined;
  }

  /** Releases the lock. `lock.db` stays: if it were deleted, two processes could hold "the" lock. */
  release(): void {
    if (!held.delete(this)) return;
    if (readHolder(this.#folder)?.pid === process.pid) rmSync(join(this.#folder, HOLDER_FILE), { force: true });
    // Closed in a transaction, the database would be unlocked when the engine collects its statements.
    this.#database.exec("ROLLBACK");
    this.#database.close();
  }
}

/** The running process that holds the lock of a folder; undefined when it has not recorded itself yet, or could not. */
export function lockHolder(folder: string): LockHolder | undefined {
  const holder = readHolder(folder);
  return holder !== undefined && processStart(holder.pid) === holder.startedAt ? holder : undefined;
}

function openLocked(file: string): Database.Database | undefined {
  let database: Database.Database | undefined;
  try {
    database = new Database(file);
    database.pragma("busy_timeout = 0");
    // Nothing is ever written, so no rollback journal is needed.
    database.pragma("journal_mode = MEMORY");
    database.exec("BEGIN EXCLUSIVE");
    chmodSync(file, 0o600);
    return database;
  } catch (error) {
    database?.close();
    if (/^SQLITE_BUSY/.test(String((error as { code?: unknown }).code))) return undefined;
    const reason = errorText(error);
    throw new Error(`The lock file ${file} cannot be used (${reason})`, { cause: error });
  }
}

/** The record only serves error messages, so a full disk does not fail the lock. */
function noteHolder(folder: string, purpose: LockHolder["purpose"]): void {
  const holder: LockHolder = { pid: process.pid, startedAt: processStart(process.pid) ?? null, purpose };
  try {
    writeAtomically(join(folder, HOLDER_FILE), `${JSON.stringify(holder)}\n`, { synced: false });
  } catch {
    rmSync(join(folder, HOLDER_FILE), { force: true, recursive: true });
  }
}

function readHolder(folder: string): LockHolder | undefined {
  try {
    return LockHolder.safeParse(JSON.parse(readFileSync(join(folder, HOLDER_FILE), "utf8"))).data;
  } catch {
    return undefined;
  }
}

/** `unknown`: the system call failed, which proves nothing. */
async function idAt(path: string): Promise<string> {
  try {
    return idOf(await stat(path, { bigint: true }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? "missing" : "unknown";
  }
}

function idOf({ dev, ino }: { dev: bigint; ino: bigint }): string {
  return `${dev}:${ino}`;
}
