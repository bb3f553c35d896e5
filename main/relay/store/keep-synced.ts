import { open } from "node:fs/promises";
import { z } from "zod";
import type { StoreDatabase } from "./open-store.ts";

const EVERY_MS = 1000;

/**
 * Syncs the store's log to the disk within a second of each write, in the background. A write that must be synced
 * before it is acknowledged uses `durably`. Returns a function that stops the syncing.
 */
export function keepSynced(database: StoreDatabase): () => void {
  const wal = `${fileOf(database)}-wal`;
  const changes = database.prepare("SELECT total_changes() AS count");
  const totalChanges = () => CountRow.parse(changes.get([])).count;
  let synced = totalChanges();
  let busy = false;
  const timer = setInterval(() => {
    const now = totalChanges();
    if (busy || now === synced) return;
    busy = true;
    syncFile(wal)
      .then(() => {
        synced = now;
      })
      // The next tick tries again; a statement reports a failing disk to its caller.
      .catch(() => undefined)
      .finally(() => {
        busy = false;
      });
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Runs a write that, with everything before it, is synced to the disk (safe from a power cut) when this returns. */
export function durably<Result>(database: StoreDatabase, write: () => Result): Result {
  database.pragma("synchronous = FULL");
  try {
    return write();
  } finally {
    database.pragma("synchronous = NORMAL");
  }
}

/** Returns the path of the database; libsql has no property for it. */
function fileOf(database: StoreDatabase): string {
  return FileRow.parse(database.prepare("SELECT file FROM pragma_database_list() WHERE name = 'main'").get([])).file;
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

const FileRow = z.object({ file: z.string().min(1) });
const CountRow = z.object({ count: z.int() });
