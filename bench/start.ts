import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchRow } from "./bench-row.ts";
import { medianOf } from "./support/median.ts";
import { ownEnvironment } from "./support/served-relay.ts";

const ROUNDS = 7;
const PROGRAM = join(import.meta.dirname, "..", "bin", "patchbay");

/** From the start of the process to the first answered request of the headless relay, beside `node -e 0`. */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-bench-"));
  try {
    const [node, relay]: [number[], number[]] = [[], []];
    // The first start makes the data folder and fills the disk cache; people start it many times.
    await firstAnswer(folder);
    for (let round = 0; round < ROUNDS; round += 1) {
      node.push(nodeAlone());
      relay.push(await firstAnswer(folder));
    }
    const ratio = medianOf(relay) / medianOf(node);
    return [
      { name: "node -e 0", value: Math.round(medianOf(node)), unit: "ms" },
      { name: "patchbay serve, to the first answer", value: Math.round(medianOf(relay)), unit: "ms" },
      { name: "ratio", value: Number(ratio.toFixed(2)), unit: "", goal: "within 2.5", ok: ratio <= 2.5 },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function nodeAlone(): number {
  const startedAt = performance.now();
  spawnSync("node", ["-e", "0"]);
  return performance.now() - startedAt;
}

async function firstAnswer(folder: string): Promise<number> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(PROGRAM, ["serve", "--port", String(port), "--data", join(folder, "data")], {
    env: ownEnvironment(folder),
    stdio: "ignore",
  });
  const health = `http://127.0.0.1:${port}/v1/health`;
  while (!(await answers(health))) {
    if (child.exitCode !== null) throw new Error(`patchbay serve ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const took = performance.now() - startedAt;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
  return took;
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    (answer) => answer.ok,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
