/**
 * electron-builder's hook, called before signing: writes the bill of materials and the licences of the packed app.
 */
import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { executableName } from "../setup/electron-runtime.mjs";
import { asarFiles } from "./asar-files.mjs";
import { licensesText } from "./licenses.mjs";
import { sbom } from "./sbom.mjs";
import { shippedPackages } from "./shipped.mjs";

/**
 * @typedef {object} Packed
 * @property {string} appOutDir
 * @property {string} electronPlatformName
 * @property {{ projectDir: string, appInfo: { version: string }, config: { electronVersion?: string | null, electronDist: string }, getResourcesDir(appOutDir: string): string }} packager
 */

/** @param {Packed} packed */
export async function afterPack({ appOutDir, electronPlatformName, packager }) {
  const resources = packager.getResourcesDir(appOutDir);
  // The stand-in Electron (tools/setup/electron-loader) contains an app of its own.
  if (electronPlatformName === "linux") await rm(path.join(resources, "app"), { recursive: true, force: true });
  const root = packager.projectDir;
  const electron = packager.config.electronVersion ?? "of unknown version";
  const shipped = shippedPackages({
    root,
    files: asarFiles(path.join(resources, "app.asar")).map((file) => file.path),
  });
  await writeFile(path.join(resources, "licenses.txt"), licensesText(shipped, { electron }));
  const inside = await versionsInside(path.join(packager.config.electronDist, executableName(process.platform)));
  const bill = sbom(shipped, { root, version: packager.appInfo.version, electron, ...inside });
  await writeFile(path.join(resources, "sbom.cdx.json"), `${JSON.stringify(bill, undefined, 2)}\n`);
}

/** Asks an Electron, which can run as Node until it is packed, what it contains. @param {string} executable */
async function versionsInside(executable) {
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: "1" };
  const { stdout } = await promisify(execFile)(executable, ["-p", "JSON.stringify(process.versions)"], { env });
  const { chrome, node } = JSON.parse(stdout);
  return { chromium: String(chrome), node: String(node) };
}
