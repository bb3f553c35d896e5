import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import { allAdapters } from "../../main/agents/adapters/all.ts";
import { claudeAdapter } from "../../main/agents/adapters/claude.ts";
import { findAgents, Recogniser } from "../../main/agents/find-agents.ts";
import { createPricing } from "../../main/agents/pricing.ts";
import { openAccount, readEvents } from "../../main/agents/session-account.ts";
import { processSource } from "../../main/system/processes/processes.ts";
import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import type { Stops } from "./support/stops.mjs";
import { temporaryFolder } from "./support/temporary-folder.ts";

const MB = 1_000_000;
const CORPUS_BYTES = 500 * MB;
const SHELLS = 50;
const LOOKS = 300;
const ROUNDS = 6;
const sessionId = "3374e44a-3626-41a4-8b49-1220ae11de36";
const fixture = join(
  import.meta.dirname,
  `../../test/fixtures/agents/claude/.claude/projects/-home-dev-my-proj-b/${sessionId}.jsonl`,
);

/** Measures reading 500 MB of transcript against `wc -l` on the same file, and the cost of inspecting 50 idle shells. */
export async function run({ stops }: BenchContext): Promise<BenchRow[]> {
  const home = temporaryFolder(stops);
  const { path, calls, bytes } = writeCorpus(home);
  return [...(await readingRows(home, path, calls, bytes)), ...(await detectionRows(stops))];
}

async function readingRows(home: string, path: string, calls: number, bytes: number): Promise<BenchRow[]> {
  const source = {
    adapter: claudeAdapter(),
    home,
    sessionId,
    price: createPricing(() => []),
    log: { problem: () => {} },
  };
  let [counted, peak, lines, usage] = [0, 0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const before = process.memoryUsage.rss();
  // In turns, so that a busy moment of the machine affects both.
  for (let round = 0; round < ROUNDS; round += 1) {
    lines = Math.min(lines, await secondsOf(async () => void execFileSync("wc", ["-l", path])));
    const reading = secondsOf(async () => {
      const account = await openAccount(source);
      await account.update();
      counted = account.ledger.counted;
    });
    usage = Math.min(usage, await reading);
    peak = Math.max(peak, process.memoryUsage.rss() - before);
  }
  if (counted !== calls) throw new Error(`counted ${counted} calls of ${calls}`);
  const events = await secondsOf(async () => void (await readEvents(source, { limit: 100 })));
  return [
    {
      name: "transcript, usage",
      value: round(bytes / MB / usage),
      unit: "MB/s",
      goal: "at least 100",
      ok: bytes / MB / usage >= 100,
    },
    { name: "wc -l on the same file", value: round(bytes / MB / lines), unit: "MB/s" },
    {
      name: "usage, times as long as wc -l",
      value: round(usage / lines),
      unit: "×",
      goal: "at most 3",
      ok: usage / lines <= 3,
    },
    { name: "transcript, last 100 events", value: round(bytes / MB / events), unit: "MB/s" },
    {
      name: "memory while reading",
      value: round(peak / MB),
      unit: "MB",
      goal: "bounded: under 200",
      ok: peak < 200 * MB,
    },
  ];
}

/** Repeats the fixture with new ids. Vendor texts that were cut from it are padded to their original length. */
function writeCorpus(home: string): { path: string; calls: number; bytes: number } {
  const folder = join(home, "projects", "-bench");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${sessionId}.jsonl`);
  const whole = readFileSync(fixture, "utf8").replace(/… \[(\d+) chars of vendor prompt text cut\]/g, (_, length) =>
    "x".repeat(Number(length)),
  );
  const callsInOne = new Set(whole.match(/msg_01Stub\d+/g)).size;
  const file = openSync(path, "w");
  let bytes = 0;
  let copies = 0;
  for (; bytes < CORPUS_BYTES; copies += 1) {
    bytes += writeSync(file, whole.replaceAll("msg_01Stub", `msg_${String(copies).padStart(6, "0")}`));
  }
  closeSync(file);
  return { path, calls: copies * callsInOne, bytes };
}

async function detectionRows(stops: Stops): Promise<BenchRow[]> {
  const shells = Array.from({ length: SHELLS }, () => spawn("bash", ["--norc", "--noprofile"], { cols: 80, rows: 24 }));
  stops.add(() => {
    for (const shell of shells) shell.kill("SIGKILL");
  });
  const pids = shells.map(({ pid }) => pid);
  const idle = await inspectionCost(pids);
  for (const shell of shells) shell.write("sleep 1000 | cat\r");
  const source = processSource();
  while ([...(await source.below(pids)).values()].some((below) => below.length < 2))
    await new Promise((go) => setTimeout(go, 20));
  const busy = await inspectionCost(pids);
  const goal = "under 0.3 at one look a second";
  return [
    { name: `a look at ${SHELLS} idle shells`, value: round(idle), unit: "% of a core", goal, ok: idle < 0.3 },
    {
      name: `a look at ${SHELLS} shells with two programs each`,
      value: round(busy),
      unit: "% of a core",
      goal,
      ok: busy < 0.3,
    },
  ];
}

/** Returns the processor time of one inspection, kernel included, in percent of a second. */
async function inspectionCost(pids: readonly number[]): Promise<number> {
  const source = processSource();
  const recogniser = new Recogniser(allAdapters());
  const start = process.cpuUsage();
  for (let count = 0; count < LOOKS; count += 1) {
    for (const below of (await source.below(pids)).values()) findAgents(below, recogniser.recognise);
    recogniser.settle();
  }
  const { user, system } = process.cpuUsage(start);
  return ((user + system) / LOOKS / 1_000_000) * 100;
}

async function secondsOf(task: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await task();
  return (performance.now() - start) / 1000;
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
