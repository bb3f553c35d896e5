import { join } from "node:path";
import { readHostFile } from "../../main/shells/host/host-file.ts";
import { areGone } from "./processes.ts";
import { until } from "./until.ts";

/** Ends the process that holds the shells of a data folder, with its shells; nothing when there is none. */
export async function endShellHost(data: string): Promise<void> {
  const host = readHostFile(join(data, "shell-host.json"));
  if (host === undefined) return;
  try {
    process.kill(host.pid, "SIGTERM");
  } catch {
    return;
  }
  try {
    await until("the end of the shells' process", () => areGone([host.pid]));
  } catch (error) {
    // The test fails, and leaves nothing behind all the same.
    process.kill(host.pid, "SIGKILL");
    throw error;
  }
}
