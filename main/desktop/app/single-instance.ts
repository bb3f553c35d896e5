import { app } from "electron";

/**
 * Whether this is the first instance for its data folder (`userData` must be set before). A later one should quit at
 * once; the first hears of it in `secondStarted`.
 */
export function claimSingleInstance(secondStarted: (words: readonly string[]) => void): boolean {
  const first = app.requestSingleInstanceLock();
  if (first) app.on("second-instance", (_event, words) => secondStarted(words));
  return first;
}
