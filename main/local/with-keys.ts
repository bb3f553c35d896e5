import { dataFolder } from "../folders.ts";
import { Keys } from "../relay/keys.ts";
import { Store } from "../relay/store/store.ts";
import { openStoreForCommand } from "./open-store-for-command.ts";

/** Lends the keys of a data folder for as long as `act` runs. Throws a StoreError. */
export function withKeys<T>(data: string | undefined, act: (keys: Keys) => T): T {
  const { database, damaged, close } = openStoreForCommand(dataFolder(data, process.env));
  try {
    if (damaged !== undefined) process.stderr.write(`patchbay: the database was damaged and is kept as ${damaged}\n`);
    return act(new Keys(new Store(database)));
  } finally {
    close();
  }
}
