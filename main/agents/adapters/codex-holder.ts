import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { list } from "./adapter-files.ts";

/** Where the system shows processes; elsewhere than on Linux nothing is there. */
const PROC = "/proc";

/** Returns whether a process keeps the lock of a thread open: Linux only. */
export function holdsLock(pid: number, thread: string): boolean {
  return hasOpen(`${PROC}/${pid}/fd`, [lockOf(thread)]);
}

/**
 * Returns the process of Codex that keeps a thread's lock or its rollout open: Linux only, as the open files of all processes
 * are read by a program elsewhere, which takes seconds.
 *
 * @param daemon - the process that keeps threads for the terminals of all, and does not stand in the way of another one
 */
export function threadHolder(thread: string, daemon: number | undefined, proc = PROC): number | undefined {
  const files = [lockOf(thread), `${thread}.jsonl`];
  return list(proc)
    .map(Number)
    .find((pid) => pid > 0 && pid !== daemon && isCodex(join(proc, String(pid))) && hasOpen(`${proc}/${pid}/fd`, files));
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
