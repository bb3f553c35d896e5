import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { cacheFolder } from "../../tools/setup/cache-folder.mjs";

/** The last commit before one call path, of which installed command lines, pages and relays may be. */
const EARLIER = "c0d0ceee";
const root = resolve(import.meta.dirname, "../..");

/**
 * Returns the folder of the earlier version, built: `PATCHBAY_EARLIER`, or one in the user's cache, which is made from the
 * history and the registry when it is first needed.
 */
export function earlierTree(): string {
  const given = process.env.PATCHBAY_EARLIER;
  if (given !== undefined && given !== "") return given;
  const folder = join(cacheFolder(), "versions", EARLIER);
  if (existsSync(folder)) return folder;
  const part = `${folder}.part-${process.pid}`;
  mkdirSync(part, { recursive: true });
  try {
    const tar = execFileSync("git", ["archive", EARLIER], { cwd: root, maxBuffer: 2 ** 30 });
    execFileSync("tar", ["-x", "-C", part], { input: tar });
    const options = { cwd: part, stdio: "inherit" } as const;
    execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], options);
    execFileSync(process.execPath, ["scripts/build.mjs"], options);
    renameSync(part, folder);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  return folder;
}
