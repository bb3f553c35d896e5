import { dataFolder } from "../folders.ts";
import { Keys } from "../relay/keys.ts";
import { openStore } from "../relay/store/open-store.ts";
import { Store } from "../relay/store/store.ts";

/** Lends the keys of a data folder for as long as `act` runs. Throws a StoreError. */
export function withKeys<T>(data: string | undefined, act: (keys: Keys) => T): T {
  const { database, damaged } = openStore(dataFolder(data, process.env));
  const store = new Store(database);
  try {
    if (damaged !== undefined) process.stderr.write(`patchbay: the database was damaged and is kept as ${damaged}\n`);
    return act(new Keys(store));
  } finally {
    store.close();
  }
}
