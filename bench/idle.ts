import { setTimeout as delay } from "node:timers/promises";
import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { startBareServer } from "./support/bare-server.ts";
import { medianOf } from "./support/median.ts";
import { memoryOf, processorSeconds } from "./support/process-cost.ts";
import { plain, under } from "./support/rows.ts";
import { serveRelay } from "./support/served-relay.ts";

const LOOKS = 3;
const LOOK_MS = 20_000;
const SETTLE_MS = 15_000;
const SHELLS = 50;
const CLIENTS = 20;

/**
 * What the headless relay costs when nobody does anything: with nothing in it, and with 50 shells at their prompts and
 * 20 clients; beside a bare Express 5 process that nobody calls. A figure is the relay and the process that holds the
 * shells together, because one does not run without the other; the shells themselves are the user's.
 */
export async function run({ stops }: BenchContext): Promise<BenchRow[]> {
  const relay = await serveRelay(stops);
  const bare = await startBareServer(stops);
  // The process that holds the shells starts with the first of them.
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
    beside(under("empty: processor", empty.share, "% core", 0.2), processor),
    under("empty: memory (PSS)", empty.memory, "MB", 90, memory),
    beside(under(`${SHELLS} shells, ${CLIENTS} clients: processor`, full.share, "% core", 1), processor),
    under(`${SHELLS} shells, ${CLIENTS} clients: memory (PSS)`, full.memory, "MB", 200, memory),
    plain("of that the relay", relayOnly, "MB"),
  ];
}

/** A baseline of next to nothing has no ratio. */
function beside(row: BenchRow, { name, value }: { name: string; value: number }): BenchRow {
  return { ...row, baseline: { name, value: Number(value.toFixed(2)) } };
}

/** Medians of several looks: share of a core in percent, and megabytes. */
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
