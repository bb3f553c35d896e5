import { rmSync } from "node:fs";
import { processStart } from "../../system/processes/process-start.ts";
import { type HostFile, readHostFile } from "./host-file.ts";

/** The host that says in its file that it runs, if it does; otherwise what it left behind is removed. */
export function livingHost(file: string): HostFile | undefined {
  const host = readHostFile(file);
  if (host === undefined) return undefined;
  const startedAt = processStart(host.pid);
  if (startedAt !== undefined && startedAt === host.startedAt) return host;
  rmSync(file, { force: true });
  if (process.platform !== "win32") rmSync(host.socket, { force: true });
  return undefined;
}

/** Kills a host, if it is still there: a process id alone may be another program's. */
export function killHost({ pid, startedAt }: HostFile): void {
  if (processStart(pid) !== startedAt) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended in between.
  }
}
