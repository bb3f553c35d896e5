import { readFileSync } from "node:fs";
import path from "node:path";
import { checkout } from "../setup/checkout.mjs";
import { runModule } from "../setup/run.mjs";
import { SetUpError } from "../setup/set-up-error.mjs";

/** electron-builder's words for the systems. @type {Readonly<Record<string, string>>} */
const FLAGS = { linux: "--linux", darwin: "--mac", win32: "--win" };

/**
 * Runs electron-builder for this system, with the Electron that was found.
 * @param {readonly string[]} forms electron-builder's targets: dir, AppImage, dmg, …
 * @param {import("../setup/electron-runtime.mjs").ElectronRuntime} runtime
 * @param {{ signal: AbortSignal, root?: string }} context `root`: folder of the checkout to pack
 */
export async function runElectronBuilder(forms, runtime, { signal, root = checkout }) {
  const platform = FLAGS[process.platform];
  if (platform === undefined) throw new SetUpError(`There is no package for ${process.platform}.`);
  const args = [
    platform,
    ...forms,
    "--publish",
    "never",
    `-c.electronDist=${runtime.dist}`,
    `-c.electronVersion=${runtime.version}`,
  ];
  const code = await runModule("electron-builder/cli.js", args, { signal, cwd: root });
  if (code !== 0) throw new SetUpError(`electron-builder failed with ${code}.`);
}

/** Folder of the app as electron-builder lays it out for this system. @param {string} root the checkout that was packed */
export function unpackedFolder(root = checkout) {
  const release = path.join(root, "release");
  if (process.platform === "linux")
    return path.join(release, process.arch === "x64" ? "linux-unpacked" : `linux-${process.arch}-unpacked`);
  if (process.platform === "win32") return path.join(release, "win-unpacked");
  return path.join(release, process.arch === "arm64" ? "mac-arm64" : "mac", "Patchbay.app", "Contents");
}

/** @returns {{ version: string }} */
export function packageFacts() {
  return JSON.parse(readFileSync(path.join(checkout, "package.json"), "utf8"));
}
