import type { Log } from "../system/log.ts";

/** Shells are killed after 3 s, so no stop takes this long unless it hangs. */
const LONGEST_STOP_MS = 8000;

/**
 * Called when the program begins to stop: ends it with exit code 1 if it has not ended by itself within 8 s, and logs what
 * is still open. Does not keep the process alive.
 */
export function limitStop(log: Pick<Log, "error">, exit: (code: number) => void): void {
  setTimeout(() => {
    log.error(`the stop took longer than ${LONGEST_STOP_MS} ms`, { open: process.getActiveResourcesInfo() });
    exit(1);
  }, LONGEST_STOP_MS).unref();
}
