import { powerMonitor } from "electron";

/** Calls back when the computer wakes up: timers stood still meanwhile, so a new day may have begun. Answers how to stop. */
export function onWake(woke: () => void): () => void {
  powerMonitor.on("resume", woke);
  return () => powerMonitor.off("resume", woke);
}
