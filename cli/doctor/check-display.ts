import { spawn } from "node:child_process";
import type { Check, Found } from "./checks.ts";

const PATIENCE_MS = 3000;
const WATCHER = "org.kde.StatusNotifierWatcher";

/** The app has a display to show itself on, and a tray to put its icon in. A relay alone needs neither. */
export const checkDisplay: Check = async ({ env }) => {
  if (process.platform !== "linux") return { state: "ok", found: "The system has a display and a tray of its own." };
  if (!isSet(env.DISPLAY) && !isSet(env.WAYLAND_DISPLAY)) {
    const advice = "The app needs one; `patchbay serve` does not.";
    return { state: "note", found: "There is no display (DISPLAY and WAYLAND_DISPLAY are not set).", advice };
  }
  if (!isSet(env.DBUS_SESSION_BUS_ADDRESS) && !isSet(env.XDG_RUNTIME_DIR)) {
    const advice = "Log in to a desktop session, or start the app with `dbus-run-session`.";
    return { state: "problem", found: "There is a display, but no session bus, so no tray icon.", advice };
  }
  return trayFound(await hasTray());
};

/** Undefined where there is no program to ask with. */
function trayFound(tray: boolean | undefined): Found {
  if (tray === true) return { state: "ok", found: "There is a display, and a tray that takes icons." };
  if (tray === undefined) return { state: "note", found: "There is a display; whether it has a tray cannot be asked." };
  return {
    state: "problem",
    found: "There is a display, but nothing on it takes tray icons.",
    advice: "GNOME: install and enable the AppIndicator extension; elsewhere: start the panel's system tray.",
  };
}

function hasTray(): Promise<boolean | undefined> {
  const words = [
    "call",
    "--session",
    "--dest=org.freedesktop.DBus",
    "--object-path=/org/freedesktop/DBus",
    "--method=org.freedesktop.DBus.NameHasOwner",
    WATCHER,
  ];
  return new Promise((resolve) => {
    const gdbus = spawn("gdbus", words, { stdio: ["ignore", "pipe", "ignore"], timeout: PATIENCE_MS });
    let said = "";
    gdbus.stdout.on("data", (piece) => {
      said += String(piece);
    });
    gdbus.on("error", () => resolve(undefined));
    gdbus.on("close", (code) => resolve(code === 0 ? said.includes("true") : undefined));
  });
}

function isSet(text: string | undefined): boolean {
  return text !== undefined && text !== "";
}
