import { setTimeout as delay } from "node:timers/promises";
import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { startBareServer } from "./support/bare-server.ts";
import { medianOf } from "./support/median.ts";
import { memoryOf, processorSeconds } from "./support/process-cost.ts";
import { bounded, plain } from "./support/rows.ts";
import { serveRelay } from "./support/served-relay.ts";

const LOOKS = 3;
const LOOK_MS = 20_000;
const SETTLE_MS = 15_000;
const SHELLS = 50;
const CLIENTS = 20;

/**
 * Measures the cost of the idle headless relay: empty, and with 50 shells at their prompts and 20 clients. The baseline
 * is a bare Express 5 without requests. A figure is the sum of the relay and the shell host, because neither runs
 * without the other; the user's shells do not count.
 */
export async function run({ stops }: BenchContext): Promise<BenchRow[]> {
  const relay = await serveRelay(stops);
  const bare = await startBareServer(stops);
  // The shell host starts with the first shell.
  const { shellId } = (await relay.command("createShell", { tile: false })) as { shellId: number };
  await relay.command("closeShell", { id: shellId });
  const own = [relay.pid, relay.shellsPid];
  await delay(SETTLE_MS);
  const alone = await cost([bare.pid]);
  const empty = await cost(own);
  for (let shell = 0; shell < SHELLS; shell += 1) await relay.command("createShell", { tile: false });
  for (let client = 0; client < CLIENTS; client += 1) await relay.join();
  await delay(SETTLE_MS);
  const full = await cost(own);
  const relayOnly = memoryOf(relay.pid);
  const processor = { name: "bare Express 5", value: alone.share };
  const memory = { name: "bare Express 5", value: alone.memory };
  return [
    withBaseline(bounded("empty: processor", empty.share, "% core", 0.2), processor),
    bounded("empty: memory (PSS)", empty.memory, "MB", 90, memory),
    withBaseline(bounded(`${SHELLS} shells, ${CLIENTS} clients: processor`, full.share, "% core", 1), processor),
    bounded(`${SHELLS} shells, ${CLIENTS} clients: memory (PSS)`, full.memory, "MB", 200, memory),
    plain("of that the relay", relayOnly, "MB"),
  ];
}

/** Adds a baseline without a ratio, because it is close to zero. */
function withBaseline(row: BenchRow, { name, value }: { name: string; value: number }): BenchRow {
  return { ...row, baseline: { name, value: Number(value.toFixed(2)) } };
}

/** Returns medians of several samples: percent of a core, and megabytes. */
async function cost(pids: readonly number[]): Promise<{ share: number; memory: number }> {
  const seconds = () => pids.reduce((sum, pid) => sum + processorSeconds(pid), 0);
  const [shares, memories]: [number[], number[]] = [[], []];
  for (let look = 0; look < LOOKS; look += 1) {
    const before = seconds();
    await delay(LOOK_MS);
    shares.push(((seconds() - before) / (LOOK_MS / 1000)) * 100);
    memories.push(pids.reduce((sum, pid) => sum + memoryOf(pid), 0));
  }
  return { share: medianOf(shares), memory: medianOf(memories) };
}
