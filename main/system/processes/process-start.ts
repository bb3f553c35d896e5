import { isAlive } from "./is-alive.ts";
import { isDead, readLinuxStat } from "./linux-stat.ts";
import { startByPs } from "./unix-tools.ts";

/**
 * Returns when a process started, as the system prints it: together with its id this identifies a process for good.
 * Null where the system does not report it (Windows); undefined when there is no such process, or it has ended and was
 * not reaped.
 */
export function processStart(pid: number): string | null | undefined {
  if (process.platform === "linux") {
    const stat = readLinuxStat(pid);
    return stat === undefined || isDead(stat) ? undefined : stat.startTicks;
  }
  if (process.platform === "win32") return isAlive(pid) ? null : undefined;
  return startByPs(pid);
}
