/** `npm run check`: the type check of every folder, and Biome. */
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { checkout } from "./setup/checkout.mjs";
import { mainProgram } from "./setup/main-program.mjs";
import { exitCodeOf } from "./setup/run.mjs";

const FORMAT = "format and lint";
const MEND = "`npm run format` mends what can be mended by itself";

/** The folders that take longest: begun last, one of them would run alone at the end. */
const LONGEST_FIRST = ["test", "renderer", "main"];
/** Each takes a processor, and up to a gigabyte of memory. */
const MOST_AT_ONCE = 2;

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {string} script path below node_modules
 * @property {readonly string[]} args
 * @property {string} colours option with which it prints as in a terminal
 */

/**
 * Runs every check, also after one has failed: as many at a time as there are processors, at most 2. Prints the output of
 * each as one piece, in the order of the checks.
 * @param {import("./setup/run.mjs").Context} context
 * @param {{ planned?: readonly Check[], atOnce?: number, runOne?: typeof runCheck, print?: (text: string) => void }} [parts]
 * @returns {Promise<string[]>} names of the checks that failed
 */
export async function check(
  { log, signal },
  {
    planned = checks(checkout),
    atOnce = Math.min(MOST_AT_ONCE, availableParallelism()),
    runOne = runCheck,
    print = (text) => process.stdout.write(text),
  } = {},
) {
  /** @type {Map<Check, Awaited<ReturnType<typeof runCheck>>>} */
  const ended = new Map();
  const waiting = [...planned];
  const untold = [...planned];
  const work = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      ended.set(one, await runOne(one, signal));
      for (let [next] = untold; next !== undefined && ended.has(next); [next] = untold) {
        log(`check: ${next.name}`);
        print(ended.get(next)?.output ?? "");
        untold.shift();
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return planned.filter((one) => ended.get(one)?.code !== 0).map(({ name }) => name);
}

/**
 * Runs a check. Rejects when the signal stops it.
 * @param {Check} wanted
 * @param {AbortSignal} signal
 * @returns {Promise<{ code: number, output: string }>}
 */
export function runCheck({ script, args, colours }, signal) {
  const words = [`node_modules/${script}`, ...args, ...(process.stdout.isTTY ? [colours] : [])];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { cwd: checkout, signal, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (piece) => {
        output += piece;
      });
    }
    child.once("error", reject);
    child.once("close", (code, ending) => resolve({ code: code ?? exitCodeOf(ending), output }));
  });
}

/** @param {string} root @returns {Check[]} */
export function checks(root) {
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(path.join(root, entry.name, "tsconfig.json")))
    .map(({ name }) => name)
    .filter((folder) => hasSources(path.join(root, folder)))
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
  return [
    ...folders.map((folder) => ({
      name: `types of ${folder}`,
      script: "typescript/bin/tsc",
      // The record of the last check: only what has changed since is checked again.
      args: ["-p", folder, "--incremental", "--tsBuildInfoFile", `node_modules/.cache/types/${folder}.tsbuildinfo`],
      colours: "--pretty",
    })),
    {
      name: FORMAT,
      script: "@biomejs/biome/bin/biome",
      args: ["check", "--error-on-warnings"],
      colours: "--colors=force",
    },
  ];
}

/** @param {string} folder */
function rank(folder) {
  const at = LONGEST_FIRST.indexOf(folder);
  return at === -1 ? LONGEST_FIRST.length : at;
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
