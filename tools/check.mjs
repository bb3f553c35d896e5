/** `npm run check`: the type check of every folder, and Biome. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { checkout } from "./setup/checkout.mjs";
import { mainProgram } from "./setup/main-program.mjs";
import { runModule } from "./setup/run.mjs";

const FORMAT = "format and lint";
const MEND = "`npm run format` mends what can be mended by itself";

/**
 * Runs every check, also after one has failed.
 * @param {import("./setup/run.mjs").Context} context
 * @returns {Promise<string[]>} names of the checks that failed
 */
export async function check({ log, signal }) {
  /** @type {string[]} */
  const failed = [];
  for (const { name, script, args } of checks(checkout)) {
    log(`check: ${name}`);
    if ((await runModule(script, args, { signal })) !== 0) failed.push(name);
  }
  return failed;
}

/** @param {string} root */
export function checks(root) {
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(path.join(root, entry.name, "tsconfig.json")))
    .map(({ name }) => name)
    .filter((folder) => hasSources(path.join(root, folder)));
  return [
    ...folders.map((folder) => ({
      name: `types of ${folder}`,
      script: "typescript/bin/tsc",
      // The record of the last check: only what has changed since is checked again.
      args: ["-p", folder, "--incremental", "--tsBuildInfoFile", `node_modules/.cache/types/${folder}.tsbuildinfo`],
    })),
    { name: FORMAT, script: "@biomejs/biome/bin/biome", args: ["check", "--error-on-warnings"] },
  ];
}

/** tsc calls a folder without sources an error. @param {string} folder */
function hasSources(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).some((name) => /\.(ts|tsx|mjs)$/.test(name));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await mainProgram(async (context) => {
    const failed = await check(context);
    for (const name of failed) context.log(`failed: ${name}${name === FORMAT ? `; ${MEND}` : ""}`);
    return failed.length === 0 ? 0 : 1;
  });
}
