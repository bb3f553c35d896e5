import { rmSync } from "node:fs";
import { processStart } from "../../system/processes/process-start.ts";
import { type HostFile, readHostFile } from "./host-file.ts";

/** Returns the host named by the file if it is running; removes its file and socket otherwise. */
export function findRunningHost(file: string): HostFile | undefined {
  const host = readHostFile(file);
  if (host === undefined) return undefined;
  const startedAt = processStart(host.pid);
  if (startedAt !== undefined && startedAt === host.startedAt) return host;
  rmSync(file, { force: true });
  if (process.platform !== "win32") rmSync(host.socket, { force: true });
  return undefined;
}

/** Kills a host unless it has ended: its process id may belong to another program by now. */
export function killHost({ pid, startedAt }: HostFile): void {
  if (processStart(pid) !== startedAt) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
