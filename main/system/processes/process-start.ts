import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * When a process started, in the system's own words: with its id it names a process for good. Null where the system
 * does not tell (Windows), undefined when there is no such process.
 */
export function processStart(pid: number): string | null | undefined {
  try {
    if (process.platform === "linux") return linuxStart(pid);
    if (process.platform === "win32") return isThere(pid) ? null : undefined;
    const started = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
    return started === "" ? undefined : started;
  } catch {
    return undefined;
  }
}

/** proc(5): field 22, in clock ticks since the machine started; a dead process that nobody has reaped is none. */
function linuxStart(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
}

function isThere(pid: number): true {
  process.kill(pid, 0);
  return true;
}
