import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import path from "node:path";
import { app, crashReporter } from "electron";

/**
 * Keeps the runtime's crash reports in `crashes` below the data folder. Nothing is ever sent. Call before Electron is
 * ready.
 */
export function keepCrashReports(data: string): void {
  const folder = path.join(data, "crashes");
  // Reports contain memory, and with it what was on the screen.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  keepPrivate(path.join(folder, "client_id"));
  app.setPath("crashDumps", folder);
  crashReporter.start({ uploadToServer: false });
}

/** Makes a file that the runtime writes without a mode readable by this user only: what it overwrites keeps its mode. */
function keepPrivate(file: string): void {
  closeSync(openSync(file, "a", 0o600));
  chmodSync(file, 0o600);
}
