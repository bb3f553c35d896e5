import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { checkout } from "./checkout.mjs";
import { runNpm } from "./run.mjs";
import { SetUpError } from "./set-up-error.mjs";

/**
 * Installs the dependencies of package-lock.json unless they are installed.
 * @param {import("./run.mjs").Context} context
 */
export async function installDependencies({ log, signal }) {
  const lock = readFileSync(path.join(checkout, "package-lock.json"), "utf8");
  const wanted = dependencyStamp(lock, process.versions.modules, process.platform, process.arch);
  const stampFile = path.join(checkout, "node_modules", ".patchbay-dependencies");
  const stamp = readIfPresent(stampFile);
  if (stamp === wanted) return;

  const installed = readIfPresent(path.join(checkout, "node_modules", ".package-lock.json"));
  if (stamp === undefined && installed !== undefined && isInstalled(JSON.parse(lock), JSON.parse(installed))) {
    writeFileSync(stampFile, wanted);
    return;
  }
  log("installing the dependencies (npm ci)");
  const code = await runNpm(["ci", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"], {
    signal,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (code !== 0)
    throw new SetUpError(
      "The dependencies could not be installed; npm says above why. Run the command again when that is settled.",
    );
  writeFileSync(stampFile, wanted);
}

/**
 * Returns a stamp of the lock file and of what native modules are built for.
 * @param {string} lock text of package-lock.json
 * @param {string} abi Node's module version
 * @param {NodeJS.Platform} platform
 * @param {string} arch
 */
export function dependencyStamp(lock, abi, platform, arch) {
  return `${createHash("sha256").update(lock).digest("hex")} node-abi-${abi} ${platform}-${arch}\n`;
}

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }} LockedPackage
 * @typedef {{ packages?: Record<string, LockedPackage> }} LockFile
 */

/**
 * Whether npm's own record of what it installed satisfies the lock file, so that a manual `npm install` is not
 * repeated. Optional packages may be missing: they are for other platforms.
 * @param {LockFile} lock
 * @param {LockFile} installed node_modules/.package-lock.json
 */
export function isInstalled(lock, installed) {
  const there = installed.packages ?? {};
  const locked = Object.entries(lock.packages ?? {}).filter(([place]) => place !== "");
  const complete = locked.every(([place, { version, integrity, optional, devOptional }]) => {
    const found = there[place];
    if (found === undefined) return optional === true || devOptional === true;
    return found.version === version && found.integrity === integrity;
  });
  return complete && Object.keys(there).every((place) => lock.packages?.[place] !== undefined);
}

/** @param {string} file */
function readIfPresent(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
