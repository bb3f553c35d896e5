import type { BenchRow } from "./bench-row.ts";
import { memoryOf, processorSeconds } from "./support/process-cost.ts";
import { type ServedRelay, serveRelay } from "./support/served-relay.ts";

const SECONDS = 20;
const SETTLE_MS = 15_000;

/** What the headless relay costs when nobody does anything: with nothing in it, and with 50 shells and 20 clients. */
export async function run(): Promise<BenchRow[]> {
  const relay = await serveRelay();
  try {
    const empty = await cost(relay);
    for (let shell = 0; shell < 50; shell += 1) await relay.command("createShell", { tile: false });
    for (let client = 0; client < 20; client += 1) await relay.join();
    const full = await cost(relay);
    return [
      row("empty: processor", empty.share, "% core", 0.2),
      row("empty: memory (PSS)", empty.memory, "MB", 90),
      row("50 shells, 20 clients: processor", full.share, "% core", 1),
      row("50 shells, 20 clients: memory (PSS)", full.memory, "MB", 200),
    ];
  } finally {
    await relay.stop();
  }
}

async function cost({ pid }: ServedRelay): Promise<{ share: number; memory: number }> {
  await pause(SETTLE_MS);
  const before = processorSeconds(pid);
  await pause(SECONDS * 1000);
  return { share: ((processorSeconds(pid) - before) / SECONDS) * 100, memory: memoryOf(pid) };
}

function row(name: string, value: number, unit: string, most: number): BenchRow {
  return { name, value: Number(value.toFixed(2)), unit, goal: `under ${most}`, ok: value < most };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
