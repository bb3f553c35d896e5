import { execFile } from "node:child_process";
import { promisify } from "node:util";

const ASK_TIMEOUT_MS = 2_000;
/** Desktops that show tray icons (StatusNotifierItem) own this name on the session bus. */
const QUESTION = [
  "--session",
  "--print-reply=literal",
  "--dest=org.freedesktop.DBus",
  "/org/freedesktop/DBus",
  "org.freedesktop.DBus.NameHasOwner",
  "string:org.kde.StatusNotifierWatcher",
];

/** Why the tray's icon cannot be seen on this desktop, as a sentence; undefined when it can, or when nobody can tell. */
export async function trayProblem(
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  if (platform !== "linux") return undefined;
  if (!env.DBUS_SESSION_BUS_ADDRESS) return "There is no tray: this session has no D-Bus session bus.";
  try {
    const { stdout } = await promisify(execFile)("dbus-send", QUESTION, { timeout: ASK_TIMEOUT_MS, env });
    return stdout.includes("false") ? "There is no tray: nothing on this desktop shows tray icons." : undefined;
  } catch {
    // Without the tool there is no saying; the icon may well be there.
    return undefined;
  }
}
