import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { BenchRow } from "../bench-row.ts";
import type { ViewLab } from "./lab.ts";

/** The first share of the time fills the bounded buffers: scrollback, output log, caches. */
const WARM_UP = 0.25;
const SAMPLES = 6;
/** Tolerated change of resident memory. With 10 MB and more a second of output, a leak would exceed it by far. */
const MOST_GROWTH_MB = 10;
const MOST_GROWTH_SHARE = 0.1;

/** Measures the growth of the page's heap and the relay's memory while a shell prints constantly. */
export async function memoryRows(lab: ViewLab, minutes: number): Promise<BenchRow[]> {
  const total = minutes * 60_000;
  await lab.type("yes the quick brown fox jumps over the lazy dog");
  await delay(total * WARM_UP);
  const before = await sample(lab);
  await delay(total * (1 - WARM_UP));
  const after = await sample(lab);
  await lab.page.locator(".xterm").click();
  await lab.page.keyboard.press("Control+C");
  const heap = after.heap - before.heap;
  const relay = after.relay - before.relay;
  const name = (what: string) => `${minutes} min of yes: ${what}`;
  return [
    { name: name("page's heap after the warm-up"), value: before.heap, unit: "MB" },
    goalRow(name("page's heap, growth"), heap, before.heap),
    { name: name("relay's memory after the warm-up"), value: before.relay, unit: "MB" },
    goalRow(name("relay's memory, growth"), relay, before.relay),
  ];
}

function goalRow(name: string, value: number, before: number): BenchRow {
  const most = Math.max(MOST_GROWTH_MB, Math.round(before * MOST_GROWTH_SHARE));
  return { name, value, unit: "MB", goal: `at most ${most}`, ok: value <= most };
}

/** Returns the least of several samples, to exclude garbage. */
async function sample({ page, folder }: ViewLab): Promise<{ heap: number; relay: number }> {
  const cdp = await page.context().newCDPSession(page);
  const heaps: number[] = [];
  const residents: number[] = [];
  for (let look = 0; look < SAMPLES; look++) {
    await cdp.send("HeapProfiler.collectGarbage");
    const { usedSize } = await cdp.send("Runtime.getHeapUsage");
    heaps.push(usedSize / 1e6);
    residents.push(residentOf(folder));
    await delay(500);
  }
  await cdp.detach();
  return { heap: Math.round(Math.min(...heaps)), relay: Math.round(Math.min(...residents)) };
}

/** Returns the resident memory of the relay and the shell host in MB (Linux). */
function residentOf(folder: string): number {
  const ours = readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && isOwnProcess(contentOf(`/proc/${name}/cmdline`)),
  );
  const kilobytes = ours.map((pid) => Number(/^VmRSS:\s+(\d+)/m.exec(contentOf(`/proc/${pid}/status`))?.[1] ?? 0));
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1000;

  function isOwnProcess(commandLine: string): boolean {
    return commandLine.startsWith(process.execPath) && commandLine.includes(folder);
  }
}

/** Returns an empty text for a process that has just ended. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
