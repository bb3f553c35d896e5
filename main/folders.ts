import { join, resolve } from "node:path";
import envPaths from "env-paths";

const RELAY_FILE = "relay.json";

/** Where Patchbay keeps its data: `--data`, else `PATCHBAY_DATA`, else the platform's own place. */
export function dataFolder(given: string | undefined, env: NodeJS.ProcessEnv): string {
  const folder = given ?? env.PATCHBAY_DATA;
  return folder === undefined || folder === "" ? platformFolders().data : resolve(folder);
}

/** Where a relay with this data folder says that it runs: in that folder, and where the user's programs look first. */
export function relayFiles(data: string): { readonly own: string; readonly shared: string } {
  return { own: join(data, RELAY_FILE), shared: join(platformFolders().config, RELAY_FILE) };
}

function platformFolders() {
  return envPaths("patchbay", { suffix: "" });
}
