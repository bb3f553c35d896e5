import { mkdirSync } from "node:fs";
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
  app.setPath("crashDumps", folder);
  crashReporter.start({ uploadToServer: false });
}
