import { homedir } from "node:os";
import path from "node:path";

/**
 * Returns Patchbay's folder in the user's cache: outside node_modules, so that a fresh `npm ci` or a second checkout
 * does not download again.
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 */
export function cacheFolder(env = process.env, platform = process.platform) {
  const home = homedir();
  if (platform === "darwin") return path.join(home, "Library", "Caches", "patchbay");
  if (platform === "win32")
    return path.join(env.LOCALAPPDATA ?? path.join(home, "AppData", "Local"), "patchbay", "Cache");
  // The base directory specification says that a relative XDG_CACHE_HOME is to be ignored.
  const xdg = env.XDG_CACHE_HOME;
  return path.join(xdg !== undefined && path.isAbsolute(xdg) ? xdg : path.join(home, ".cache"), "patchbay");
}
