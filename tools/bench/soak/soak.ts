import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { RelayFile } from "../../../core/protocol/relay-file.ts";
import { Keys } from "../../../main/relay/access/keys.ts";
import { openStore } from "../../../main/relay/store/open-store.ts";
import { Store } from "../../../main/relay/store/store.ts";
import { readHostFile } from "../../../main/shells/host/host-file.ts";
import type { BenchRow } from "../bench-row.ts";
import { startLoad, type Target } from "./load.ts";
import { median, processorTime, type Sample, sample } from "./measure.ts";

interface Options {
  /** Folder of the built program. */
  readonly dist: string;
  /** Duration of the load. The first third fills the bounded buffers (events, chat, output) and is not compared. */
  readonly minutes: number;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

const SAMPLE_MS = 2000;
const PROGRAMS = ["relay", "shell host"] as const;

/** Growth between the second and the last third that is tolerated. */
const GOALS = {
  memory: { most: 16, unit: "MB", goal: "grows by at most 16 MB" },
  handles: { most: 4, unit: "", goal: "grows by at most 4" },
  processes: { most: 2, unit: "", goal: "grows by at most 2" },
} as const;

/** Runs the real headless relay under mixed load, and compares its resource use in the middle and at the end. */
export async function soak({ dist, minutes, log, signal }: Options): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-soak-"));
  const data = join(folder, "data");
  const relay = await serve(dist, folder, data);
  try {
    const load = await startLoad(targetOf(data));
    const pids = [relay.pid ?? 0, readHostFile(join(data, "shell-host.json"))?.pid ?? 0] as const;
    const samples: (readonly Sample[])[] = [];
    const startedAt = performance.now();
    const before = pids.map(processorTime);
    for (const end = startedAt + minutes * 60_000; performance.now() < end && !signal.aborted; ) {
      await delay(SAMPLE_MS);
      samples.push(pids.map(sample));
      if (samples.length % 15 === 0) log(line(samples.at(-1) ?? [], performance.now() - startedAt));
    }
    const took = performance.now() - startedAt;
    const busy = pids.map((pid, index) => ((processorTime(pid) - (before[index] ?? 0)) / took) * 100);
    await load.stop();
    return [
      ...PROGRAMS.flatMap((name, index) =>
        rowsOf(
          name,
          samples.map((both) => both[index] ?? nothing),
        ),
      ),
      ...PROGRAMS.map((name, index) => ({
        name: `${name}: processor`,
        value: round(busy[index] ?? 0),
        unit: "% of a core",
      })),
      ...Object.entries(load.rounds).map(([name, value]) => ({ name: `load: ${name}`, value, unit: "rounds" })),
      {
        name: "load: failures",
        value: load.failures.length,
        unit: load.failures.join("; "),
        goal: "none",
        ok: load.failures.length === 0,
      },
    ];
  } finally {
    relay.kill("SIGTERM");
    if (relay.exitCode === null) await once(relay, "exit");
    rmSync(folder, { recursive: true, force: true });
  }
}

const nothing: Sample = { memory: 0, handles: 0, processes: 0 };

function rowsOf(name: string, samples: readonly Sample[]): BenchRow[] {
  const third = Math.floor(samples.length / 3);
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)];
  return (Object.keys(GOALS) as (keyof Sample)[]).flatMap((figure) => {
    const { most, unit, goal } = GOALS[figure];
    const [then, now] = [median(middle, figure), median(last, figure)];
    return [
      { name: `${name}: ${figure}`, value: round(now), unit },
      { name: `${name}: growth of ${figure}`, value: round(now - then), unit, goal, ok: now - then <= most },
    ];
  });
}

async function serve(dist: string, folder: string, data: string): Promise<ChildProcess> {
  const program = join(dist, "cli", "main.js");
  const child = spawn(process.execPath, [program, "serve", "--port", "0", "--data", data, "--client"], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, "config"),
      SHELL: "/bin/bash",
      LANG: "C.UTF-8",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  for await (const piece of child.stdout ?? []) {
    said += String(piece);
    if (said.includes("Try next")) break;
  }
  return child;
}

function targetOf(data: string): Target {
  const { url, session = "" } = RelayFile.parse(JSON.parse(readFileSync(join(data, "relay.json"), "utf8")));
  const { database } = openStore(data);
  const store = new Store(database);
  const [{ owner } = { owner: "" }] = store.sessions.list();
  const { secret } = new Keys(store.keys).create({ owner, name: "soak" });
  database.close();
  return { url, session, key: secret };
}

function line(samples: readonly Sample[], ms: number): string {
  const figures = samples.map(
    ({ memory, handles, processes }, index) =>
      `${PROGRAMS[index]}: ${memory.toFixed(0)} MB, ${handles} handles, ${processes} processes`,
  );
  return `${(ms / 60_000).toFixed(1)} min  ${figures.join("  ")}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
