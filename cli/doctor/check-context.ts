import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import envPaths from "env-paths";
import type { FleetStatus } from "../../core/protocol/fleet.ts";
import type { PriceListStatus } from "../../core/protocol/prices.ts";
import { RelayFile } from "../../core/protocol/relay-file.ts";

/** What every check gets: the data folder, the environment, and the relay that is announced there. */
export interface CheckContext {
  /** The data folder; it need not exist. */
  readonly data: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The content of `relay.json`; undefined without a valid one. */
  readonly relay: RelayFile | undefined;
  /** Asks the running relay; absent outside of it, where it is asked with the user's key. */
  readonly inRelay?: {
    prices(): PriceListStatus;
    fleet(): FleetStatus;
  };
}

/** Uses the data folder of `--data`, `PATCHBAY_DATA` or the platform, in that order. */
export function checkContext({ data, env }: Pick<CheckContext, "env"> & { data?: string | undefined }): CheckContext {
  const named = data ?? env.PATCHBAY_DATA;
  const folder = named === undefined || named === "" ? envPaths("patchbay", { suffix: "" }).data : resolve(named);
  return { data: folder, env, relay: readRelay(join(folder, "relay.json")) };
}

function readRelay(file: string): RelayFile | undefined {
  try {
    return RelayFile.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
  } catch {
    return undefined;
  }
}
