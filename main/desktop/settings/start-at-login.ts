import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { app } from "electron";

/** Makes the desktop start Patchbay in the tray when the user logs in, or stops it from doing so. */
export function setStartAtLogin(start: boolean, appFolder: string): void {
  if (process.platform !== "linux") {
    app.setLoginItemSettings({ openAtLogin: start, args: ["--hidden"] });
    return;
  }
  const file = path.join(app.getPath("appData"), "autostart", "patchbay.desktop");
  if (!start) {
    rmSync(file, { force: true });
    return;
  }
  const program = app.isPackaged ? [process.execPath] : [process.execPath, appFolder];
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, autostartEntry([...program, "--hidden"]));
}

/** Returns the XDG autostart entry that runs this command line. */
export function autostartEntry(words: readonly string[]): string {
  const quoted = words.map((word) => `"${word.replaceAll(/["`$\\]/g, "\\\\$&").replaceAll("%", "%%")}"`);
  return [
    "[Desktop Entry]",
    "Type=Application",
    "Name=Patchbay",
    // TryExec disables the entry when the program is missing: a removed package cannot clean up its users' homes.
    `TryExec=${words[0]}`,
    `Exec=${quoted.join(" ")}`,
    "Icon=patchbay",
    "",
  ].join("\n");
}
