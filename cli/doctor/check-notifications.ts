import { sessionBusAddress, socketsOf } from "../../main/system/dbus/address.ts";
import { notificationProblem } from "../../main/system/desktop-services.ts";
import { hasSharedLibrary } from "../../main/system/shared-library.ts";
import { hasDisplay } from "./check-display.ts";
import type { Check, CheckResult } from "./finding.ts";
import { withSessionBus } from "./session-bus.ts";

const FALLBACK = "Until then they are shown as toasts.";

/** Checks that the app's notifications reach the desktop. */
export const checkNotifications: Check = async ({ env }) => {
  if (process.platform !== "linux") return { state: "ok", found: "The system shows notifications itself." };
  if (!hasDisplay(env)) {
    return {
      state: "note",
      found: "There is no display, so native notifications are not available.",
      advice: HEADLESS_ADVICE,
    };
  }
  const address = sessionBusAddress(env);
  if (address !== undefined && socketsOf(address).length === 0) return checkLibnotify();
  const problem = await withSessionBus(env, notificationProblem);
  if (problem === undefined) return { state: "ok", found: "The desktop's notification server answers." };
  return { state: "problem", found: problem.found, advice: `${problem.advice} ${FALLBACK}` };
};

const HEADLESS_ADVICE = "`patchbay serve --client` prints what it would show; a browser in the session shows toasts.";

/** On a session bus without a Unix socket, Electron shows notifications with libnotify. */
function checkLibnotify(): CheckResult {
  if (hasSharedLibrary(["libnotify.so.4", "libnotify.so.5"])) {
    return { state: "note", found: "libnotify is installed; whether a notification server answers cannot be checked." };
  }
  const advice = `Install it, for example \`sudo apt install libnotify4\`. ${FALLBACK}`;
  return { state: "problem", found: "Native notifications do not work: libnotify is missing.", advice };
}
