import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromiumExecutable } from "./chromium.mjs";
import { startVirtualDesktop } from "./virtual-desktop.mjs";

/**
 * Processes that run test files at the same time: twice as many as a small machine has processors, since tests wait for
 * programs, shells and pages half of the time. Each has a screen of its own, as a window that takes the keys hides panels.
 */
export const TEST_WORKERS = 4;

/** Variables of a Patchbay shell, which must not lead the tests to the user's own relay. */
const OWN_VARIABLES = /^(SERVICE|PATCHBAY)_/;

/**
 * @typedef {object} TestEnvironment
 * @property {string} folder temporary
 * @property {NodeJS.ProcessEnv} env complete environment for the tests
 * @property {() => Promise<void>} stop
 */

/**
 * Creates a home, temporary folders and, on Linux, a desktop with an unlocked keychain for one run of tests, and removes
 * them with it. PATCHBAY_ELECTRON and PATCHBAY_CHROMIUM name the programs to drive.
 * @param {import("./electron-runtime.mjs").ElectronRuntime} runtime
 * @param {{ desktop: boolean, signal: AbortSignal }} options
 * @returns {Promise<TestEnvironment>}
 */
export async function startTestEnvironment(runtime, { desktop, signal }) {
  // A short name: the path of a Unix socket must not be longer than 107 bytes.
  const folder = mkdtempSync(path.join(tmpdir(), "pb-"));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    const own = Object.entries(process.env).filter(([name]) => !OWN_VARIABLES.test(name));
    /** @type {NodeJS.ProcessEnv} */
    const env = {
      ...Object.fromEntries(own),
      ...foldersIn(folder),
      ELECTRON_OVERRIDE_DIST_PATH: runtime.dist,
      PATCHBAY_ELECTRON: runtime.executable,
    };
    const chromium = chromiumExecutable();
    if (chromium !== undefined) env.PATCHBAY_CHROMIUM = chromium;
    if (!desktop || process.platform !== "linux") return { folder, env, stop: async () => remove() };

    const virtual = await startVirtualDesktop({
      displays: TEST_WORKERS,
      bus: true,
      keyrings: path.join(folder, "data"),
      signal,
    });
    const stop = async () => {
      await virtual.stop();
      remove();
    };
    // Without Wayland's variable GTK uses the virtual display.
    const { WAYLAND_DISPLAY: _, ...rest } = env;
    return { folder, env: { ...rest, ...virtual.env }, stop };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * macOS finds its keychain and Windows its profile through the home folder, so there it stays the user's; tests give the
 * programs that they start a data folder of their own anyway.
 * @param {string} folder
 * @returns {NodeJS.ProcessEnv}
 */
function foldersIn(folder) {
  const make = (/** @type {string} */ name) => {
    const place = path.join(folder, name);
    mkdirSync(place, { mode: 0o700 });
    return place;
  };
  if (process.platform !== "linux") return {};
  return {
    HOME: make("home"),
    XDG_CONFIG_HOME: make("config"),
    XDG_DATA_HOME: make("data"),
    XDG_STATE_HOME: make("state"),
    XDG_CACHE_HOME: make("cache"),
    XDG_RUNTIME_DIR: make("run"),
    TMPDIR: make("tmp"),
  };
}
