/** `npm run bench [-- NAME … --minutes N]`: bundles bench/NAME.ts, runs it, prints its figures and writes them as JSON. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { checkout } from "./setup/checkout.mjs";
import { mainProgram } from "./setup/main-program.mjs";
import { SetUpError } from "./setup/set-up-error.mjs";

const folder = path.join(checkout, "bench");
const NOT_ONE = new Set(["bench-row"]);

await mainProgram(async ({ log }) => {
  await build({ log });
  const known = readdirSync(folder)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -3))
    .filter((name) => !NOT_ONE.has(name));
  const { values, positionals: wanted } = parseArgs({
    options: { minutes: { type: "string" } },
    allowPositionals: true,
  });
  const options = values.minutes === undefined ? {} : { minutes: Number(values.minutes) };
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new SetUpError(`No benchmark ${unknown}. There are: ${known.join(", ")}.`);
  for (const name of wanted.length === 0 ? known : wanted) {
    const load = loadavg()[0]?.toFixed(2);
    log(`\n${name}, on ${cpus().length} cores, load ${load} before`);
    const rows = await run(name, options);
    print(rows);
    const out = path.join(checkout, "dist", "bench");
    writeFileSync(path.join(out, `${name}.json`), `${JSON.stringify({ name, load, rows }, null, 2)}\n`);
  }
});

/**
 * @param {string} name
 * @param {{ minutes?: number }} options for how long a benchmark that watches something does so
 * @returns {Promise<import("../bench/bench-row.ts").BenchRow[]>}
 */
async function run(name, options) {
  const out = path.join(checkout, "dist", "bench");
  mkdirSync(out, { recursive: true });
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({
    cwd: checkout,
    input: path.join(folder, `${name}.ts`),
    platform: "node",
    external: [/^(?!\.|\/)/],
  });
  // Beside its source, so that what it reads relative to itself is where it says.
  const file = path.join(folder, `.${name}.mjs`);
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
  try {
    const { run } = await import(pathToFileURL(file).href);
    return await run(options);
  } finally {
    rmSync(file, { force: true });
  }
}

/** @param {readonly import("../bench/bench-row.ts").BenchRow[]} rows */
function print(rows) {
  const width = Math.max(...rows.map((row) => row.name.length));
  for (const { name, value, unit, goal, ok } of rows) {
    const verdict = ok === undefined ? "" : ok ? "  met" : "  missed";
    process.stdout.write(
      `${name.padEnd(width)}  ${String(value).padStart(10)} ${unit.padEnd(8)}${goal === undefined ? "" : `  ${goal}`}${verdict}\n`,
    );
  }
}
