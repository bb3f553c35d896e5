import path from "node:path";
import { npmFolder } from "./npm-folder.mjs";

const VERSION = "1.4.5";

/**
 * Returns the program Bun, for the published client's test: `PATCHBAY_BUN`, or one in the user's cache folder. The package of
 * this platform is taken, because `bun` itself needs a script to find it.
 * @param {import("./run.mjs").Context} context
 */
export async function installBun(context) {
  const given = process.env.PATCHBAY_BUN;
  if (given) return path.resolve(given);
  const isWindows = process.platform === "win32";
  const machine = process.arch === "arm64" ? "aarch64" : "x64";
  const name = `@oven/bun-${isWindows ? "windows" : process.platform}-${machine}`;
  const folder = await npmFolder({ name: `bun-${VERSION}`, packages: [`${name}@${VERSION}`] }, context);
  return path.join(folder, "node_modules", name, "bin", isWindows ? "bun.exe" : "bun");
}
