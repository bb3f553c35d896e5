/** `npm run test:soak [-- --minutes N]`: runs ten minutes of mixed load on the real relay, prints growth, and fails on any. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "../build.mjs";
import { checkout } from "../setup/checkout.mjs";
import { mainProgram } from "../setup/main-program.mjs";

await mainProgram(async ({ log, signal }) => {
  const { values } = parseArgs({ options: { minutes: { type: "string", default: "10" } } });
  const minutes = Number(values.minutes);
  await build({ log });
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({
    cwd: checkout,
    input: path.join(checkout, "tools", "bench", "soak", "soak.ts"),
    platform: "node",
    external: [/^(?!\.|\/)/],
  });
  const file = path.join(checkout, "tools", "bench", ".soak.mjs");
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
  try {
    const load = loadavg()[0]?.toFixed(2);
    log(`soak: ${minutes} minutes, on ${cpus().length} cores, load ${load} before`);
    const { soak } = await import(pathToFileURL(file).href);
    /** @type {import("./bench-row.ts").BenchRow[]} */
    const rows = await soak({ dist: path.join(checkout, "dist"), minutes, log, signal });
    const width = Math.max(...rows.map((row) => row.name.length));
    for (const { name, value, unit, goal, ok } of rows) {
      const verdict = ok === undefined ? "" : ok ? "  met" : "  missed";
      process.stdout.write(
        `${name.padEnd(width)}  ${String(value).padStart(9)} ${unit}${goal ? `  ${goal}` : ""}${verdict}\n`,
      );
    }
    const out = path.join(checkout, "dist", "bench");
    mkdirSync(out, { recursive: true });
    writeFileSync(path.join(out, "soak.json"), `${JSON.stringify({ name: "soak", minutes, load, rows }, null, 2)}\n`);
    return rows.every((row) => row.ok !== false) ? 0 : 1;
  } finally {
    rmSync(file, { force: true });
  }
});
