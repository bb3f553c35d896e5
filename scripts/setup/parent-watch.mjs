import { readFileSync } from "node:fs";

const POLL_MS = 250;

/**
 * Calls `onGone` once when the npm that runs this script has ended. npm hands no signal on reliably: it ends, and leaves
 * behind the shell that it starts scripts with, and us below it. A script that npm did not start watches nothing.
 * @param {() => void} onGone
 * @returns {() => void} how to stop watching
 */
export function watchParent(onGone) {
  if (process.env.npm_lifecycle_event === undefined || process.platform === "win32") return () => {};
  const before = ancestors();
  const timer = setInterval(() => {
    if (ancestors() === before) return;
    clearInterval(timer);
    onGone();
  }, POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Who started us, and who started that: a process whose parent is gone gets another. */
function ancestors() {
  return `${process.ppid} ${parentOf(process.ppid)}`;
}

/**
 * The parent by Linux's /proc (proc(5): the second field after the name). Elsewhere the shell makes way for its one
 * command, so that npm is the direct parent.
 * @param {number} pid
 */
function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? "";
  } catch {
    return "";
  }
}
