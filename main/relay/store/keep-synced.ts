import { open } from "node:fs/promises";
import type { StoreDatabase } from "./open-store.ts";

const EVERY_MS = 1000;

/**
 * Brings what was written to the store onto the disk itself, a second later at most, without anybody waiting for it.
 * What must be there before it is acknowledged is written with `durably`. Answers how to stop.
 */
export function keepSynced(database: StoreDatabase): () => void {
  const wal = `${database.name}-wal`;
  const changes = database.prepare("SELECT total_changes() AS count");
  let synced = countOf(changes.get());
  let busy = false;
  const timer = setInterval(() => {
    const now = countOf(changes.get());
    if (busy || now === synced) return;
    busy = true;
    flush(wal)
      .then(() => {
        synced = now;
      })
      // A disk that fails now is asked again with the next change; statements tell their callers.
      .catch(() => undefined)
      .finally(() => {
        busy = false;
      });
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Runs a write that is on the disk itself, safe from a power cut, when this returns; everything before it is too. */
export function durably<Result>(database: StoreDatabase, write: () => Result): Result {
  database.pragma("synchronous = FULL");
  try {
    return write();
  } finally {
    database.pragma("synchronous = NORMAL");
  }
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

function countOf(row: unknown): number {
  return Number((row as { count: number }).count);
}
