import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { list } from "./adapter-files.ts";

/** The folder of Linux's processes; other systems have none. */
const PROC = "/proc";

/** Returns whether a process keeps the lock of a thread open: Linux only. */
export function holdsLock(pid: number, thread: string): boolean {
  return hasOpen(`${PROC}/${pid}/fd`, [lockOf(thread)]);
}

/**
 * Returns the process of Codex that keeps a thread's lock or its rollout open: Linux only, as elsewhere the open files of
 * all processes are read by a program, which takes seconds.
 *
 * @param daemon - the process that keeps threads for the terminals of all, and does not stand in the way of another one
 */
export function threadHolder(thread: string, daemon: number | undefined, proc = PROC): number | undefined {
  const files = [lockOf(thread), `${thread}.jsonl`];
  const holds = (folder: string) => isCodex(folder) && hasOpen(join(folder, "fd"), files);
  return list(proc)
    .map(Number)
    .find((pid) => pid > 0 && pid !== daemon && holds(join(proc, String(pid))));
}

function lockOf(thread: string): string {
  return join("thread-writer-locks", `${thread}.lock`);
}

/** Reads the name only: there are hundreds of processes. */
function isCodex(folder: string): boolean {
  try {
    return readFileSync(join(folder, "comm"), "utf8").startsWith("codex");
  } catch {
    return false;
  }
}

/** @param ends - of the paths of the files */
function hasOpen(folder: string, ends: readonly string[]): boolean {
  return list(folder).some((name) => {
    try {
      const path = readlinkSync(join(folder, name));
      return ends.some((end) => path.endsWith(end));
    } catch {
      return false;
    }
  });
}
