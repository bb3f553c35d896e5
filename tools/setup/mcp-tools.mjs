import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { cacheFolder } from "./cache-folder.mjs";
import { withLock } from "./lock.mjs";
import { publishFolder } from "./publish-folder.mjs";
import { runNpm } from "./run.mjs";
import { SetUpError } from "./set-up-error.mjs";

const SUITE = { name: "@modelcontextprotocol/conformance", version: "0.1.16" };
/** The last inspector whose command line runs on Node 20. */
const INSPECTOR = { name: "@modelcontextprotocol/inspector-cli", version: "0.16.8" };

/**
 * Returns a folder with the conformance tests and the inspector of the Model Context Protocol: `PATCHBAY_MCP_TOOLS`, or one
 * in the user's cache folder, which the first call fills with npm. They weigh 60 MB and are no dependencies.
 * @param {import("./run.mjs").Context} context
 */
export async function installMcpTools(context) {
  const given = process.env.PATCHBAY_MCP_TOOLS;
  if (given) return path.resolve(given);
  const folder = path.join(cacheFolder(), "peers", `mcp-${SUITE.version}-${INSPECTOR.version}`);
  const lock = path.join(cacheFolder(), "locks", "peers.lock");
  await withLock(lock, { ...context, waitingFor: SUITE.name }, async () => {
    if (!existsSync(folder)) await publishFolder(folder, (place) => install(place, context));
  });
  return folder;
}

/** @param {string} place @param {import("./run.mjs").Context} context */
async function install(place, { log, signal }) {
  const wanted = [SUITE, INSPECTOR].map(({ name, version }) => `${name}@${version}`);
  log(`installing ${wanted.join(", ")}`);
  await writeFile(path.join(place, "package.json"), '{ "private": true }');
  const args = ["install", "--prefix", place, "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel", "error"];
  if ((await runNpm([...args, ...wanted], { signal })) !== 0)
    throw new SetUpError(`npm could not install ${wanted.join(" and ")}: its own words are above.`);
  // The suite imports what Node 20 does not have, for a command that is not used here.
  const file = path.join(place, "node_modules", SUITE.name, "dist", "index.js");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace(/,globSync as \w+/, ""));
}
