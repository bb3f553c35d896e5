import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { npmFolder } from "./npm-folder.mjs";

const SUITE = { name: "@modelcontextprotocol/conformance", version: "0.1.16" };
/** The last inspector whose command line runs on Node 20. */
const INSPECTOR = { name: "@modelcontextprotocol/inspector-cli", version: "0.16.8" };

/**
 * Returns a folder with the conformance tests and the inspector of the Model Context Protocol: `PATCHBAY_MCP_TOOLS`, or one
 * in the user's cache folder. They weigh 60 MB and are no dependencies.
 * @param {import("./run.mjs").Context} context
 */
export async function installMcpTools(context) {
  const given = process.env.PATCHBAY_MCP_TOOLS;
  if (given) return path.resolve(given);
  const packages = [SUITE, INSPECTOR].map(({ name, version }) => `${name}@${version}`);
  return npmFolder({ name: `mcp-${SUITE.version}-${INSPECTOR.version}`, packages, finish: fitToNode20 }, context);
}

/**
 * Removes an import of the suite that Node 20 does not have, for a command that is not used here.
 * @param {string} folder
 */
async function fitToNode20(folder) {
  const file = path.join(folder, "node_modules", SUITE.name, "dist", "index.js");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace(/,globSync as \w+/, ""));
}
