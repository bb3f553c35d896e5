import type { StoreDatabase } from "../relay/store/open-store.ts";
import { makePrivateFolder, openStore, openStoreInUse, StoreError, StoreNotReady } from "../relay/store/open-store.ts";
import { markStoreClosed } from "../relay/store/store-mark.ts";
import { FolderLock } from "../system/folder-lock.ts";

/** Time that a relay which has just started may take to set its store up. */
const WAIT_MS = 5000;
const RETRY_INTERVAL_MS = 50;

interface CommandStore {
  readonly database: StoreDatabase;
  /** What of the database is lost, as a sentence. */
  readonly lost: string | undefined;
  close(): void;
}

/**
 * Opens the store of a data folder for a command. Where no relay runs, the command locks the folder, and a relay that
 * starts meanwhile waits; beside a running relay it only reads and writes rows.
 *
 * @throws StoreError
 */
export function openStoreForCommand(folder: string): CommandStore {
  makePrivateFolder(folder);
  for (const deadline = performance.now() + WAIT_MS; ; sleep(RETRY_INTERVAL_MS)) {
    const lock = takeLock(folder);
    if (lock !== undefined) return openExclusively(folder, lock);
    try {
      const database = openStoreInUse(folder);
      return { database, lost: undefined, close: () => void database.close() };
    } catch (error) {
      if (!(error instanceof StoreNotReady) || performance.now() > deadline) throw error;
    }
  }
}

function openExclusively(folder: string, lock: FolderLock): CommandStore {
  try {
    const { database, lost } = openStore(folder);
    return {
      database,
      lost,
      close() {
        database.close();
        // The next relay is to find the loss too: it takes care of the shells.
        if (lost === undefined) markStoreClosed(folder);
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function takeLock(folder: string): FolderLock | undefined {
  try {
    return FolderLock.take(folder, "command");
  } catch (error) {
    throw new StoreError(`${(error as Error).message}: make the data folder writable, or choose another with --data.`);
  }
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
