/**
 * `node tools/package/package-figures.mjs`: size and start time of the package that `npm run dist` made, beside an empty Electron
 * app that is packed the same way. For a quiet machine with Linux and xwininfo.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { mainProgram } from "../setup/main-program.mjs";
import { prepare } from "../setup/prepare.mjs";
import { SetUpError } from "../setup/set-up-error.mjs";
import { startTestEnvironment } from "../setup/test-environment.mjs";
import { packEmptyApp } from "./empty-app.mjs";
import { packedSizes } from "./sizes.mjs";
import { startTime } from "./start-time.mjs";
import { unpackedFolder } from "./unpacked.mjs";

const ROUNDS = 9;

await mainProgram(async (context) => {
  const app = unpackedFolder();
  if (!existsSync(path.join(app, "patchbay"))) throw new SetUpError("There is no package yet: run `npm run dist`.");
  if (spawnSync("xwininfo", ["-version"]).error) throw new SetUpError("This needs xwininfo (package x11-utils).");
  const runtime = await prepare("test", context);
  const folder = mkdtempSync(path.join(tmpdir(), "patchbay-figures-"));
  const place = await startTestEnvironment(runtime, { desktop: true, ...context });
  try {
    const empty = await packEmptyApp(path.join(folder, "empty"), { runtime, ...context });
    const programs = { "empty app": path.join(empty, "empty"), Patchbay: path.join(app, "patchbay") };
    /** @type {Record<string, number[]>} */
    const times = { "empty app": [], Patchbay: [] };
    const load = loadavg()[0]?.toFixed(2);
    // In turns, so that what else runs meets both. The first round fills the disk cache.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [name, program] of Object.entries(programs)) {
        const took = await startTime(program, { env: place.env, folder, signal: context.signal });
        if (round > 0) times[name]?.push(took);
      }
    }
    process.stdout.write(`load ${load} before; start until a window shows: median of ${ROUNDS}\n`);
    for (const [name, program] of Object.entries(programs)) {
      const { ours, runtime: theirs } = packedSizes(path.dirname(program));
      const size = `${megabytes(ours + theirs)} unpacked, ${megabytes(ours)} of that not Electron`;
      process.stdout.write(`${name.padEnd(9)}  ${median(times[name] ?? []).toFixed(0)} ms  ${size}\n`);
    }
  } finally {
    await place.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** @param {readonly number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
