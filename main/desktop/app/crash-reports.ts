import { mkdirSync } from "node:fs";
import path from "node:path";
import { app, crashReporter } from "electron";

/**
 * Keeps what the runtime writes when one of its processes crashes, in `crashes` below the data folder. Nothing is ever
 * sent. To be called before Electron is ready.
 */
export function keepCrashReports(data: string): void {
  const folder = path.join(data, "crashes");
  // Reports hold memory, and with it what was on the screen.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  app.setPath("crashDumps", folder);
  crashReporter.start({ uploadToServer: false });
}
