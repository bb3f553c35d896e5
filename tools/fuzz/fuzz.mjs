/**
 * `npm run test:fuzz [-- --seconds N] [--jobs N] [NAME …]`: fuzzes what reads bytes from outside, 20 s per target, one target at a
 * time unless told otherwise.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { checkout } from "../setup/checkout.mjs";
import { mainProgram } from "../setup/main-program.mjs";
import { run } from "../setup/run.mjs";
import { SetUpError } from "../setup/set-up-error.mjs";

const folder = path.join(checkout, "tools", "fuzz");

await mainProgram(async (context) => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seconds: { type: "string", default: "20" }, jobs: { type: "string", default: "1" } },
  });
  const known = readdirSync(path.join(folder, "targets")).map((file) => path.parse(file).name);
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new SetUpError(`No target ${unknown}. There are: ${known.join(", ")}.`);
  const waiting = positionals.length === 0 ? [...known] : [...positionals];
  let broken = 0;
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      if ((await fuzz(name, Number(values.seconds), context)) !== 0) broken += 1;
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  return broken === 0 ? 0 : 1;
});

/** @param {string} name @param {number} seconds @param {import("../setup/run.mjs").Context} context */
async function fuzz(name, seconds, { signal }) {
  // Of its own: another job would read the shared part while this one writes it.
  const out = path.join(checkout, "dist", "fuzz", name);
  mkdirSync(out, { recursive: true });
  const { rolldown } = await import("rolldown");
  const { nativeModules } = await import("../build.mjs");
  const bundle = await rolldown({
    cwd: checkout,
    input: { [name]: path.join(folder, "targets", `${name}.ts`), "run-target": path.join(folder, "run-target.ts") },
    platform: "node",
    external: nativeModules(checkout),
  });
  await bundle.write({ dir: out, format: "esm", entryFileNames: "[name].js" });
  await bundle.close();
  const words = JSON.stringify({ seconds, crashFile: path.join(out, `${name}.crash`) });
  const script = `
    const { fuzz, seeds } = await import(${JSON.stringify(path.join(out, `${name}.js`))});
    const { runTarget } = await import(${JSON.stringify(path.join(out, "run-target.js"))});
    process.exit((await runTarget({ name: ${JSON.stringify(name)}, fuzz, seeds, script: "/dist/fuzz/" }, ${words})) ? 0 : 1);`;
  // What a target writes goes here, because a target that is stopped or crashes cannot remove it.
  const place = mkdtempSync(path.join(tmpdir(), "patchbay-fuzz-"));
  try {
    const env = { ...process.env, TMPDIR: place };
    return await run(process.execPath, ["--expose-gc", "--input-type=module", "--eval", script], { signal, env });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
