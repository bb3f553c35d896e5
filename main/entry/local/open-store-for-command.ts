import type { StoreDatabase } from "../../relay/store/open-store.ts";
import {
  makePrivateFolder,
  openStore,
  openStoreInUse,
  StoreError,
  StoreNotReady,
} from "../../relay/store/open-store.ts";
import { FolderLock } from "../../system/folder-lock.ts";

/** A relay that has just started sets its store up in this time. */
const WAIT_MS = 5000;
const TRY_EVERY_MS = 50;

export interface CommandStore {
  readonly database: StoreDatabase;
  /** Where a damaged database was put aside, when there was one. */
  readonly damaged: string | undefined;
  close(): void;
}

/**
 * Opens the store of a data folder for a command. Where no relay runs, the command has the folder to itself, and a relay
 * that starts meanwhile waits; beside a relay it only reads and writes rows. Throws a StoreError.
 */
export function openStoreForCommand(folder: string): CommandStore {
  makePrivateFolder(folder);
  for (const deadline = performance.now() + WAIT_MS; ; sleep(TRY_EVERY_MS)) {
    const lock = takeLock(folder);
    if (lock !== undefined) return openAlone(folder, lock);
    try {
      const database = openStoreInUse(folder);
      return { database, damaged: undefined, close: () => void database.close() };
    } catch (error) {
      if (!(error instanceof StoreNotReady) || performance.now() > deadline) throw error;
    }
  }
}

function openAlone(folder: string, lock: FolderLock): CommandStore {
  try {
    const { database, damaged } = openStore(folder);
    return {
      database,
      damaged,
      close() {
        database.close();
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
