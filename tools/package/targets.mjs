import { accessSync, constants } from "node:fs";
import path from "node:path";

/**
 * @typedef {object} Target a form in which the app is packed
 * @property {string} name as `npm run dist -- NAME` takes it
 * @property {NodeJS.Platform} platform the system that it is for
 * @property {boolean} built by `npm run dist` here, without being asked for
 * @property {string} why the obstacle on this machine, or how it is made
 */

/**
 * Returns every package format, and whether this machine can build it. "Asked for" means that it may work if
 * electron-builder reaches its release page: the tools of those formats are not in the npm registry.
 * @param {NodeJS.Platform} platform
 * @param {(program: string) => boolean} has whether a program is on the PATH
 * @returns {Target[]}
 */
export function targetsOn(platform, has = isOnPath) {
  /** @param {NodeJS.Platform} needed */
  const here = (needed) => platform === needed;
  const dpkg = has("dpkg-deb");
  return [
    { name: "dir", platform: "linux", built: here("linux"), why: here("linux") ? "electron-builder" : "needs Linux" },
    {
      name: "deb",
      platform: "linux",
      built: here("linux") && dpkg,
      why: !here("linux") ? "needs Linux" : dpkg ? "dpkg-deb" : "needs dpkg-deb",
    },
    {
      name: "AppImage",
      platform: "linux",
      built: false,
      why: here("linux")
        ? "asked for: electron-builder downloads the AppImage tools from its release page"
        : "needs Linux",
    },
    {
      name: "zip",
      platform: "darwin",
      built: here("darwin"),
      why: here("darwin") ? "electron-builder" : "needs macOS, to sign",
    },
    {
      name: "dmg",
      platform: "darwin",
      built: here("darwin"),
      why: here("darwin") ? "electron-builder" : "needs macOS's hdiutil",
    },
    {
      name: "nsis",
      platform: "win32",
      built: here("win32"),
      why: here("win32") ? "electron-builder" : "needs Windows: NSIS and signtool, both downloads elsewhere, and Wine",
    },
  ];
}

/** Returns the table for the user. @param {readonly Target[]} targets */
export function targetTable(targets) {
  const width = Math.max(...targets.map(({ name }) => name.length));
  return targets.map(({ name, built, why }) => `  ${name.padEnd(width)}  ${built ? "yes" : "no "}  ${why}`).join("\n");
}

/** @param {string} program */
function isOnPath(program) {
  return (process.env.PATH ?? "").split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return folder !== "";
    } catch {
      return false;
    }
  });
}
