import { lstatSync, readdirSync } from "node:fs";
import path from "node:path";

/** Patchbay's files in an unpacked app; all others are the runtime's. */
const OURS = /(^|\/)(resources|Resources|bin)\/|(^|\/)LICENSE\.patchbay$/;
/** Electron's files in the same folders. */
const THEIRS = /\.lproj\/|\/electron\.icns$/;

/**
 * Bytes of the app itself and of the runtime, in a folder that electron-builder laid out.
 * @param {string} app
 */
export function packedSizes(app) {
  const sizes = { ours: 0, runtime: 0 };
  for (const entry of readdirSync(app, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(app, file).split(path.sep).join("/");
    sizes[OURS.test(name) && !THEIRS.test(name) ? "ours" : "runtime"] += lstatSync(file).size;
  }
  return sizes;
}
