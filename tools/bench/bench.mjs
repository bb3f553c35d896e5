/**
 * `npm run bench [-- NAME … --minutes N --against REVISION --keep]`: bundles bench/NAME.ts, runs it, prints its figures as
 * a table and writes them as JSON. `--against` prints what moved since the figures that are kept at a revision, `--keep`
 * keeps these. A signal ends everything that the benchmark has started.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "../build.mjs";
import { checkout } from "../setup/checkout.mjs";
import { mainProgram } from "../setup/main-program.mjs";
import { SetUpError } from "../setup/set-up-error.mjs";
import { figuresAt, keepFigures, movedTable } from "./bench-figures.mjs";
import { benchTable } from "./bench-table.mjs";
import { Stops } from "./support/stops.mjs";

/** @typedef {import("./bench-row.ts").BenchRow} BenchRow */

const folder = path.join(checkout, "tools", "bench");
const NOT_ONE = new Set(["bench-row", "bench-context"]);
/** Time for a stopped benchmark to finish work in progress, such as a download's last file. */
const LET_GO_MS = 2_000;

await mainProgram(async ({ log, signal }) => {
  const known = readdirSync(folder)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -3))
    .filter((name) => !NOT_ONE.has(name));
  const { values, positionals: wanted } = parseArgs({
    options: { minutes: { type: "string" }, against: { type: "string" }, keep: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const before = values.against === undefined ? undefined : figuresAt(values.against);
  const options = values.minutes === undefined ? {} : { minutes: Number(values.minutes) };
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new SetUpError(`No benchmark ${unknown}. There are: ${known.join(", ")}.`);
  await build({ log });
  for (const name of wanted.length === 0 ? known : wanted) {
    const loadBefore = load();
    log(`\n${name}, on ${cpus().length} cores, load ${loadBefore} before`);
    const rows = await run(name, { log, signal, ...options });
    const after = load();
    process.stdout.write(benchTable(rows));
    log(`load ${after} after`);
    const machine = { cores: cpus().length, processor: cpus()[0]?.model, node: process.version };
    const report = { name, at: new Date().toISOString(), machine, load: { before: loadBefore, after }, rows };
    writeFileSync(path.join(outFolder(), `${name}.json`), `${JSON.stringify(report, null, 2)}\n`);
    if (before !== undefined) process.stdout.write(movedTable(before[name], report));
    if (values.keep) keepFigures(report);
  }
});
// A stopped benchmark may still wait for something that will not arrive.
process.exit();

/**
 * @param {string} name
 * @param {Omit<import("./bench-context.ts").BenchContext, "stops">} lent
 * @returns {Promise<BenchRow[]>}
 */
async function run(name, lent) {
  const file = await bundle(name);
  const stops = new Stops();
  const stopped = new Promise((_, reject) => {
    const give = () => reject(lent.signal.reason);
    lent.signal.addEventListener("abort", give, { once: true });
    if (lent.signal.aborted) give();
  });
  try {
    const running = import(pathToFileURL(file).href).then((bench) => bench.run({ ...lent, stops }));
    try {
      return await Promise.race([running, stopped]);
    } catch (error) {
      if (lent.signal.aborted) ignoreLateFailures(running);
      throw error;
    } finally {
      await stops.all();
      if (lent.signal.aborted) await Promise.race([running.catch(() => {}), delay(LET_GO_MS)]);
    }
  } finally {
    rmSync(file, { force: true });
  }
}

/**
 * Ignores failures of a stopped benchmark: it continues until its peers have ended and then fails, which must not prevent
 * the cleanup.
 * @param {Promise<unknown>} running
 */
function ignoreLateFailures(running) {
  running.catch(() => {});
  process.on("uncaughtException", () => {});
  process.on("unhandledRejection", () => {});
}

/**
 * @param {string} name
 * @returns {Promise<string>} the bundle: beside its source, so that what it reads relative to itself is where it says
 */
async function bundle(name) {
  const { rolldown } = await import("rolldown");
  const made = await rolldown({
    cwd: checkout,
    input: path.join(folder, `${name}.ts`),
    platform: "node",
    external: [/^(?!\.|\/)/],
  });
  const file = path.join(folder, `.${name}.${process.pid}.mjs`);
  await made.write({ file, format: "esm", codeSplitting: false });
  await made.close();
  return file;
}

function outFolder() {
  const out = path.join(checkout, "dist", "bench");
  mkdirSync(out, { recursive: true });
  return out;
}

/** Returns the load average of the last minute. */
function load() {
  return Number(loadavg()[0]?.toFixed(2));
}
