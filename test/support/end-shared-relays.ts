import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { endShellHost } from "./end-shell-host.ts";
import { areGone } from "./processes.ts";
import { until } from "./until.ts";

/** Folder below the bundles with one file for each relay that the processes of a run have left running for their tests. */
export const SHARED_RELAYS = "shared-relays";

const Left = z.object({ pid: z.int(), data: z.string() });

/** Ends the relays that tests of a run have shared, with their shells, and removes their folders. */
export async function endSharedRelays(bundles: string): Promise<void> {
  const folder = join(bundles, SHARED_RELAYS);
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const { pid, data } = Left.parse(JSON.parse(readFileSync(join(folder, name), "utf8")));
    try {
      process.kill(pid, "SIGTERM");
    } catch {
      // It has ended by itself.
    }
    await until("the end of a shared relay", () => areGone([pid]));
    await endShellHost(data);
    rmSync(dirname(data), { recursive: true, force: true });
  }
  rmSync(folder, { recursive: true, force: true });
}
