/** `npm start [-- options of the app]`: does all set-up, then runs the app until it ends or is stopped. */
import { homedir } from "node:os";
import path from "node:path";
import { runApp } from "./setup/app-process.mjs";
import { runtimeLine } from "./setup/electron-runtime.mjs";
import { mainProgram } from "./setup/main-program.mjs";
import { prepare } from "./setup/prepare.mjs";
import { sandboxOptions } from "./setup/sandbox.mjs";
import { startVirtualDesktop } from "./setup/virtual-desktop.mjs";

/**
 * Chromium's complaints about what a machine without a display lacks (a GPU, a system bus) would stand between the lines
 * that are to be read. The app's own switch (main/desktop/app/chromium-switches.ts) comes too late for the first of them.
 */
const QUIET = ["--log-level=3"];

await mainProgram(async (context) => {
  const runtime = await prepare("start", context);
  const options = sandboxOptions(runtime.dist);
  context.log(runtimeLine(runtime));
  const desktop = await missingDesktop(context);
  try {
    const env = { ...process.env, ...desktop?.env, ELECTRON_OVERRIDE_DIST_PATH: runtime.dist, PATCHBAY_BIN: "./bin" };
    return await runApp(runtime.executable, [...options, ...QUIET, ".", ...process.argv.slice(2)], {
      env,
      signal: context.signal,
    });
  } finally {
    await desktop?.stop();
  }
});

/**
 * The parts of a desktop that this session lacks; undefined when it lacks none.
 * @param {import("./setup/run.mjs").Context} context
 */
async function missingDesktop({ log, signal }) {
  if (process.platform !== "linux") return undefined;
  const display = !(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  const bus = !process.env.DBUS_SESSION_BUS_ADDRESS;
  if (!display && !bus) return undefined;
  const keyrings = path.join(dataHome(), "patchbay", "virtual-desktop");
  if (display)
    log(
      "no display here: running on a virtual one, so there is nothing to see; the relay and the command line work as ever",
    );
  if (bus)
    log(`no session bus here: running with a private one, whose keychain has no password and is kept in ${keyrings}`);
  return startVirtualDesktop({ display, bus, keyrings, signal });
}

function dataHome() {
  const xdg = process.env.XDG_DATA_HOME;
  return xdg !== undefined && path.isAbsolute(xdg) ? xdg : path.join(homedir(), ".local", "share");
}
