import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import envPaths from "env-paths";
import { RelayFile } from "../../core/protocol/relay-file.ts";

/** Where to look, and the relay that says it runs there. */
export interface CheckContext {
  /** The data folder; it need not exist. */
  readonly data: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What its relay says of itself; undefined when it says nothing. */
  readonly relay: RelayFile | undefined;
}

/** The data folder that `--data`, `PATCHBAY_DATA` or the platform names, in that order. */
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
