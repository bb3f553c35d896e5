import { uptime } from "node:os";
import { isAlive } from "./is-alive.ts";
import { isDead, readLinuxStat } from "./linux-stat.ts";
import { startByPs } from "./unix-tools.ts";

/** Clock ticks of Linux in ms, see sysconf(_SC_CLK_TCK). */
const TICK_MS = 10;

/**
 * Returns when a process started in ms since the epoch, exact to a second; undefined when there is no such process, or the
 * system does not report it (Windows).
 */
export function processStartedAt(pid: number): number | undefined {
  const start = processStart(pid);
  if (start === undefined || start === null) return undefined;
  return process.platform === "linux"
    ? Date.now() - uptime() * 1000 + Number(start) * TICK_MS
    : Date.parse(`${start} UTC`);
}

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
