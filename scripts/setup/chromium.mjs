import { existsSync } from "node:fs";
import path from "node:path";

/** The names under which Chromium and its relatives are installed, the plainest first. */
const PROGRAMS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"];

/**
 * The browser that the tests drive: PATCHBAY_CHROMIUM, or one that is installed; undefined when there is none.
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 * @param {(file: string) => boolean} exists
 */
export function chromiumExecutable(env = process.env, platform = process.platform, exists = existsSync) {
  if (env.PATCHBAY_CHROMIUM) return env.PATCHBAY_CHROMIUM;
  return candidates(env, platform).find((file) => exists(file));
}

/** @param {NodeJS.ProcessEnv} env @param {NodeJS.Platform} platform */
function candidates(env, platform) {
  if (platform === "darwin") {
    return ["Google Chrome", "Chromium", "Microsoft Edge"].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  }
  if (platform === "win32") {
    return [env.PROGRAMFILES, env["PROGRAMFILES(X86)"], env.LOCALAPPDATA].flatMap((folder) =>
      folder === undefined
        ? []
        : ["Google\\Chrome\\Application\\chrome.exe", "Microsoft\\Edge\\Application\\msedge.exe"].map(
            (name) => `${folder}\\${name}`,
          ),
    );
  }
  return (env.PATH ?? "").split(":").flatMap((folder) => PROGRAMS.map((name) => path.posix.join(folder, name)));
}
