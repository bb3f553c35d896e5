import { readFileSync } from "node:fs";

const POLL_MS = 250;

/**
 * Calls `onGone` once when the npm that runs this script has ended. npm does not forward signals reliably: it
 * ends, and leaves the shell of the script and this process running. Does nothing if npm did not start the script.
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

/** The parent and its parent: a process whose parent has ended gets another. */
function ancestors() {
  return `${process.ppid} ${parentOf(process.ppid)}`;
}

/**
 * The parent by Linux's /proc (proc(5): the second field after the name). On other systems the shell replaces itself
 * with its only command, so that npm is the direct parent.
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
