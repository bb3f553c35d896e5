import { app } from "electron";

/** Longest time that stopping may take before the app ends anyway. */
const STOP_TIMEOUT_MS = 5_000;

/**
 * Keeps the app running when its last window closes, and runs `stop` once, to its end, before the app ends. An error of
 * `stop` is logged and does not keep the app alive.
 */
export function stopBeforeQuit(stop: () => Promise<void>, log: (line: string) => void): void {
  let state: "running" | "stopping" | "stopped" = "running";
  app.on("window-all-closed", () => {
    // Listening is what keeps the app alive: without a listener Electron quits.
  });
  app.on("will-quit", (event) => {
    if (state === "stopped") return;
    event.preventDefault();
    if (state === "stopping") return;
    state = "stopping";
    const end = () => {
      state = "stopped";
      clearTimeout(timer);
      app.quit();
    };
    const timer = setTimeout(end, STOP_TIMEOUT_MS);
    stop()
      .catch((error: unknown) => log(`Stopping failed: ${error instanceof Error ? error.message : String(error)}`))
      .then(end);
  });
}
