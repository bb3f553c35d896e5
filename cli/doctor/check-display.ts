import { trayIconProblem } from "../../main/system/desktop-services.ts";
import type { Check } from "./finding.ts";
import { withSessionBus } from "./session-bus.ts";

/** Checks that the app has a display and a tray for its icon. A relay alone needs neither. */
export const checkDisplay: Check = async ({ env }) => {
  if (process.platform !== "linux") return { state: "ok", found: "The system has a display and a tray of its own." };
  if (!hasDisplay(env)) {
    const advice = "The app needs one; `patchbay serve` does not.";
    return { state: "note", found: "There is no display (DISPLAY and WAYLAND_DISPLAY are not set).", advice };
  }
  const problem = await withSessionBus(env, trayIconProblem);
  if (problem === undefined) return { state: "ok", found: "There is a display, and a tray that takes icons." };
  return { state: "problem", ...problem };
};

/** Whether the environment names a display. */
export function hasDisplay(env: Readonly<Record<string, string | undefined>>): boolean {
  return [env.DISPLAY, env.WAYLAND_DISPLAY].some((name) => name !== undefined && name !== "");
}
