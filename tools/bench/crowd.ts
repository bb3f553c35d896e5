import { setTimeout as delay } from "node:timers/promises";
import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { medianOf } from "./support/median.ts";
import { memoryOf, processorSeconds } from "./support/process-cost.ts";
import { bounded, plain } from "./support/rows.ts";
import { serveRelay } from "./support/served-relay.ts";
import { startAgents } from "./support/start-agents.ts";

const MINUTES = 10;
const SHELLS = 200;
const CLIENTS = 64;
const AGENTS = 20;
const SAMPLE_MS = 5_000;
const MOST_PROCESSOR = 15;
/** Tolerated change of memory between the second and the last third: the first fills the bounded buffers. */
const MOST_GROWTH_MB = 10;

/**
 * Measures what a crowd costs that prints nothing: 200 shells, 64 clients, and 20 agents whose transcripts grow by a call a
 * second, for ten minutes (`--minutes`). Figures are the sum of the relay and the shell host, without the user's shells.
 * The agents are stand-ins; the rest is real.
 */
export async function run({ stops, minutes = MINUTES, log }: BenchContext): Promise<BenchRow[]> {
  const relay = await serveRelay(stops);
  for (let shell = AGENTS; shell < SHELLS; shell += 1) await relay.command("createShell", { tile: false });
  await startAgents(relay, AGENTS);
  // The relay's own, without a screen, is one of them.
  for (let client = 1; client < CLIENTS; client += 1) await relay.join();
  const seconds = () => processorSeconds(relay.pid) + processorSeconds(relay.shellsPid);
  const memory: number[] = [];
  const [before, startedAt] = [seconds(), performance.now()];
  while (performance.now() - startedAt < minutes * 60_000) {
    await delay(SAMPLE_MS);
    memory.push(memoryOf(relay.pid) + memoryOf(relay.shellsPid));
    if (memory.length % 12 === 0) log(`${Math.round(memory.at(-1) ?? 0)} MB after ${memory.length / 12} min`);
  }
  const share = ((seconds() - before) / ((performance.now() - startedAt) / 1000)) * 100;
  const third = Math.floor(memory.length / 3);
  const [middle, end] = [medianOf(memory.slice(third, 2 * third)), medianOf(memory.slice(2 * third))];
  const name = `${SHELLS} shells, ${CLIENTS} clients, ${AGENTS} agents`;
  return [
    bounded(`${name}: processor`, share, "% core", MOST_PROCESSOR),
    plain(`${name}: memory (PSS)`, end, "MB"),
    bounded(`${name}: growth from the second to the last third`, end - middle, "MB", MOST_GROWTH_MB),
  ];
}
