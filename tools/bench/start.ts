import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../../test/support/free-port.ts";
import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { medianOf } from "./support/median.ts";
import { compared } from "./support/rows.ts";
import { ownEnvironment } from "./support/served-relay.ts";
import { startProgram } from "./support/start-program.ts";
import type { Stops } from "./support/stops.mjs";
import { temporaryFolder } from "./support/temporary-folder.ts";
import { measureInTurns } from "./support/turns.ts";

const ROUNDS = 9;
const PROGRAM = join(import.meta.dirname, "..", "..", "bin", "patchbay");

/** Measures the time from the start of the headless relay to its first answer, against `node -e 0`. */
export async function run({ stops }: BenchContext): Promise<BenchRow[]> {
  const folder = temporaryFolder(stops);
  // The first start creates the data folder and fills the disk cache, so it does not count.
  await firstAnswer(stops, folder);
  const { node, relay } = await measureInTurns(ROUNDS, {
    node: () => nodeAlone(folder),
    relay: () => firstAnswer(stops, folder),
  });
  const baseline = { name: "node -e 0", value: medianOf(node) };
  return [compared("patchbay serve, to the first answer", medianOf(relay), "ms", baseline, { within: 2.5 })];
}

/** In the relay's environment: variables such as NODE_EXTRA_CA_CERTS can triple the time that Node takes to start. */
function nodeAlone(folder: string): number {
  const startedAt = performance.now();
  spawnSync(process.execPath, ["-e", "0"], { env: ownEnvironment(folder) });
  return performance.now() - startedAt;
}

async function firstAnswer(stops: Stops, folder: string): Promise<number> {
  const port = await freePort();
  const startedAt = performance.now();
  const { child, stop } = startProgram(
    stops,
    PROGRAM,
    ["serve", "--port", String(port), "--data", join(folder, "data")],
    { env: ownEnvironment(folder), stdio: "ignore" },
  );
  const health = `http://127.0.0.1:${port}/v1/health`;
  while (!(await answers(health))) {
    if (child.exitCode !== null) throw new Error(`patchbay serve ended with ${child.exitCode}`);
    await delay(1);
  }
  const took = performance.now() - startedAt;
  await stop();
  return took;
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    (answer) => answer.ok,
    () => false,
  );
}
