import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromiumExecutable } from "./chromium.mjs";
import { startVirtualDesktop } from "./virtual-desktop.mjs";

/**
 * Processes that run test files at the same time: twice as many as a small machine has processors, since tests wait for
 * programs, shells and pages half of the time. Each has a desktop of its own, as a window that takes the keys hides panels,
 * and one program at a time can show a bus's notifications.
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
 * Creates a home, temporary folders and, on Linux, desktops with unlocked keychains for one run of tests, and removes
 * them with it. PATCHBAY_ELECTRON and PATCHBAY_CHROMIUM name the programs to drive, PATCHBAY_DESKTOPS the variables of each
 * desktop, as JSON; the first one's are set.
 * @param {import("./electron-runtime.mjs").ElectronRuntime} runtime
 * @param {{ desktop: boolean, signal: AbortSignal }} options
 * @returns {Promise<TestEnvironment>}
 */
export async function startTestEnvironment(runtime, { desktop, signal }) {
  // A short name: the path of a Unix socket must not be longer than 107 bytes.
  const folder = mkdtempSync(path.join(folderInMemory() ?? tmpdir(), "pb-"));
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

    const desktops = await startDesktops(path.join(folder, "data"), signal);
    const stop = async () => {
      await Promise.all(desktops.map((desktop) => desktop.stop()));
      remove();
    };
    // Without Wayland's variable GTK uses the virtual display.
    const { WAYLAND_DISPLAY: _, ...rest } = env;
    const all = desktops.map((each) => each.env);
    return { folder, env: { ...rest, ...all[0], PATCHBAY_DESKTOPS: JSON.stringify(all) }, stop };
  } catch (error) {
    remove();
    throw error;
  }
}

const SHARED_MEMORY = "/dev/shm";
const ENOUGH_BYTES = 4 * 1024 ** 3;

/**
 * Returns a folder in memory, on Linux and where it is large and runs programs. Relays wait for the disk at each change that
 * they acknowledge, and thousands of tests start one.
 */
function folderInMemory() {
  try {
    accessSync(SHARED_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    const mounted = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .filter((line) => line.split(" ")[1] === SHARED_MEMORY);
    const runsPrograms = mounted.every((line) => !line.split(" ")[3]?.split(",").includes("noexec"));
    return bavail * bsize >= ENOUGH_BYTES && runsPrograms ? SHARED_MEMORY : undefined;
  } catch {
    return undefined;
  }
}

/**
 * One for each worker.
 * @param {string} keyrings
 * @param {AbortSignal} signal
 */
async function startDesktops(keyrings, signal) {
  const starts = Array.from({ length: TEST_WORKERS }, (_, worker) =>
    startVirtualDesktop({ display: true, bus: true, keyrings: path.join(keyrings, String(worker)), signal }),
  );
  const started = await Promise.allSettled(starts);
  const desktops = started.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const failed = started.find((each) => each.status === "rejected");
  if (failed === undefined) return desktops;
  await Promise.all(desktops.map((desktop) => desktop.stop()));
  throw failed.reason;
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
