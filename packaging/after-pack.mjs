/**
 * electron-builder's hook, called before signing: writes the bill of materials and the licences of the packed app.
 */
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { asarFiles } from "../scripts/package/asar-files.mjs";
import { licensesText } from "../scripts/package/licenses.mjs";
import { sbom } from "../scripts/package/sbom.mjs";
import { shippedPackages } from "../scripts/package/shipped.mjs";

/**
 * @typedef {object} Packed
 * @property {string} appOutDir
 * @property {string} electronPlatformName
 * @property {{ projectDir: string, appInfo: { version: string }, config: { electronVersion?: string | null }, getResourcesDir(appOutDir: string): string }} packager
 */

/** @param {Packed} packed */
export async function afterPack({ appOutDir, electronPlatformName, packager }) {
  const resources = packager.getResourcesDir(appOutDir);
  // The stand-in Electron (scripts/setup/electron-loader) contains an app of its own.
  if (electronPlatformName === "linux") await rm(path.join(resources, "app"), { recursive: true, force: true });
  const root = packager.projectDir;
  const electron = packager.config.electronVersion ?? "of unknown version";
  const shipped = shippedPackages({
    root,
    files: asarFiles(path.join(resources, "app.asar")).map((file) => file.path),
  });
  await writeFile(path.join(resources, "licenses.txt"), licensesText(shipped, { electron }));
  const bill = sbom(shipped, { root, version: packager.appInfo.version, electron });
  await writeFile(path.join(resources, "sbom.cdx.json"), `${JSON.stringify(bill, undefined, 2)}\n`);
}
