import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { checkout } from "./checkout.mjs";
import { download } from "./download.mjs";
import { DownloadError } from "./download-error.mjs";
import { checkIntegrity } from "./integrity.mjs";
import { createProgress } from "./progress.mjs";

const RELEASES = "https://github.com/electron/electron/releases/download/";

/**
 * Downloads the official Electron, checks it against the checksums that the npm package of the same version carries,
 * and unpacks it into `folder`. Throws a DownloadError when it is out of reach or damaged. (The package's own installer
 * wants Node 22 and has no bound on its time, hence not used.)
 * @param {string} version
 * @param {string} folder
 * @param {import("./run.mjs").Context} context
 * @param {NodeJS.ProcessEnv} env
 */
export async function fetchOfficialElectron(version, folder, { log, signal }, env) {
  const name = `electron-v${version}-${process.platform}-${process.arch}.zip`;
  const checksums = JSON.parse(readFileSync(path.join(checkout, "node_modules", "electron", "checksums.json"), "utf8"));
  const digest = checksums[name];
  if (typeof digest !== "string") throw new DownloadError(`there is no ${name}`);

  const archive = path.join(path.dirname(folder), name);
  const progress = createProgress(`Electron ${version}`);
  try {
    await download(officialUrl(version, name, env), archive, { signal, onProgress: progress.update });
  } finally {
    progress.end();
  }
  await checkIntegrity(archive, { algorithm: "sha256", digest, encoding: "hex" });
  log(`Electron ${version}: unpacking`);
  // Its library is installed by an earlier step of the set-up, so it is not there when this module is loaded.
  const { unzip } = await import("./unzip.mjs");
  await unzip(archive, folder);
  await rm(archive);
}

/**
 * The address of a release file; ELECTRON_MIRROR takes the place of the release page, as with Electron's own installer.
 * @param {string} version
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 */
export function officialUrl(version, name, env) {
  const base = env.ELECTRON_MIRROR || env.npm_config_electron_mirror || RELEASES;
  return `${base.replace(/\/*$/, "/")}v${version}/${name}`;
}
