import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { cacheFolder } from "./cache-folder.mjs";
import { withLock } from "./lock.mjs";
import { publishFolder } from "./publish-folder.mjs";
import { runNpm } from "./run.mjs";
import { SetUpError } from "./set-up-error.mjs";

/**
 * Returns a folder of the user's cache with packages of npm that are no dependencies. The first call fills it.
 * @param {{ name: string, packages: readonly string[], finish?: (folder: string) => Promise<void> }} wanted
 *   `name`: of the folder, with the versions in it; `finish`: changes what npm has installed
 * @param {import("./run.mjs").Context} context
 */
export async function npmFolder({ name, packages, finish }, context) {
  const folder = path.join(cacheFolder(), "peers", name);
  const lock = path.join(cacheFolder(), "locks", "peers.lock");
  await withLock(lock, { ...context, waitingFor: name }, async () => {
    if (existsSync(folder)) return;
    await publishFolder(folder, async (place) => {
      await install(place, packages, context);
      await finish?.(place);
    });
  });
  return folder;
}

/** @param {string} place @param {readonly string[]} packages @param {import("./run.mjs").Context} context */
async function install(place, packages, { log, signal }) {
  log(`installing ${packages.join(", ")}`);
  await writeFile(path.join(place, "package.json"), '{ "private": true }');
  const args = ["install", "--prefix", place, "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel", "error"];
  if ((await runNpm([...args, ...packages], { signal })) !== 0)
    throw new SetUpError(`npm could not install ${packages.join(" and ")}: its own words are above.`);
}
