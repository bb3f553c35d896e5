import { powerMonitor } from "electron";

/**
 * Calls back when the computer resumes: timers were suspended, so a new day may have begun. Returns an unsubscribe
 * function.
 */
export function onWake(woke: () => void): () => void {
  powerMonitor.on("resume", woke);
  return () => powerMonitor.off("resume", woke);
}
