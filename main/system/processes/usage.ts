import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { isDead, readLinuxStat } from "./linux-stat.ts";
import type { ProcessInfo, ProcessSource } from "./process-source.ts";
import { processSource } from "./processes.ts";
import { ps } from "./unix-tools.ts";

/** What a process costs. */
export interface ProcessLoad {
  readonly pid: number;
  readonly ppid: number;
  readonly name: string;
  readonly cpuPercent: number;
  readonly memoryBytes: number;
}

/** USER_HZ, which is 100 on every Linux that Node runs on. */
const TICK_MS = 10;
/** How long the processor is measured at least. */
const MEASURE_MS = 250;
/** An earlier measurement says nothing of now. */
const OLD_MS = 60_000;

/** A process with what it has cost so far. */
interface Listed {
  /** Names the process also when its pid is used again. */
  readonly key: string;
  readonly pid: number;
  readonly ppid: number;
  readonly name: string;
  readonly cpuTicks: number;
  readonly residentPages: number;
}

interface Measured {
  readonly at: number;
  /** Processor time in ticks, by process. */
  readonly times: ReadonlyMap<string, number>;
}

/** Measures what processes cost, at each call and only then: since the last call, which has to be about the same roots. */
export class UsageSampler {
  readonly #source: ProcessSource;
  #last: Measured | undefined;

  constructor(source: ProcessSource = processSource(undefined, { anyTerminal: true, withRoots: true })) {
    this.#source = source;
  }

  /**
   * Measures the processes below some, those included, and some others.
   *
   * @returns by root, a parent before its children; and the others that run
   */
  async measure(
    roots: readonly number[],
    others: readonly number[],
  ): Promise<{ readonly below: ReadonlyMap<number, readonly ProcessLoad[]>; readonly others: readonly ProcessLoad[] }> {
    return process.platform === "linux" ? this.#linux(roots, others) : this.#ps(roots, others);
  }

  async #linux(roots: readonly number[], others: readonly number[]) {
    const last = this.#last;
    const isOld = last === undefined || performance.now() - last.at > OLD_MS;
    const before = isOld ? (await this.#take(roots, others)).measured : last;
    // Two callers at once: a tick in a millisecond would be many processors.
    const rest = before.at + MEASURE_MS - performance.now();
    if (rest > 0) await delay(rest);
    const { below, running, measured } = await this.#take(roots, others);
    const loadOf = ({ key, pid, ppid, name, cpuTicks, residentPages }: Listed): ProcessLoad => {
      const spent = (cpuTicks - (before.times.get(key) ?? cpuTicks)) * TICK_MS;
      const elapsed = Math.max(1, measured.at - before.at);
      const cpuPercent = Math.round((Math.max(0, spent) / elapsed) * 1000) / 10;
      return { pid, ppid, name, cpuPercent, memoryBytes: residentPages * pageBytes() };
    };
    return {
      below: new Map([...below].map(([root, listed]) => [root, listed.map(loadOf)])),
      others: running.map(loadOf),
    };
  }

  async #take(roots: readonly number[], others: readonly number[]) {
    const found = await this.#source.below(roots);
    const below = new Map([...found].map(([root, all]) => [root, all.flatMap(listed)]));
    const running = others.flatMap((pid): Listed[] => {
      const stat = readLinuxStat(pid);
      if (stat === undefined || isDead(stat)) return [];
      return [{ ...stat, name: stat.comm, key: `${pid}/${stat.startTicks}` }];
    });
    const all = [...[...below.values()].flat(), ...running];
    const measured: Measured = {
      at: performance.now(),
      times: new Map(all.map(({ key, cpuTicks }) => [key, cpuTicks])),
    };
    this.#last = measured;
    return { below, running, measured };
  }

  /** Where there is no /proc, `ps` says it, with the processor's share as the system averages it. */
  async #ps(roots: readonly number[], others: readonly number[]) {
    const [found, table] = await Promise.all([this.#source.below(roots), ps(["-ax", "-o", COLUMNS]).catch(() => "")]);
    const loads = new Map(table.split("\n").flatMap((line) => parseUsage(line)));
    const loadOf = (pid: number, name: string): ProcessLoad[] => {
      const load = loads.get(pid);
      return load === undefined ? [] : [{ pid, name, ...load }];
    };
    return {
      below: new Map([...found].map(([root, all]) => [root, all.flatMap(({ pid, comm }) => loadOf(pid, comm))])),
      others: others.flatMap((pid) => loadOf(pid, "")),
    };
  }
}

function listed({ pid, ppid, startKey, comm: name, cost }: ProcessInfo): Listed[] {
  if (cost === undefined) return [];
  const { cpuTicks, residentPages } = cost;
  return [{ key: `${pid}/${startKey}`, pid, ppid, name, cpuTicks, residentPages }];
}

const COLUMNS = "pid=,ppid=,pcpu=,rss=";

/** Parses a line of `ps -o pid=,ppid=,pcpu=,rss=`: memory is in KiB. */
export function parseUsage(line: string): readonly (readonly [number, Omit<ProcessLoad, "pid" | "name">])[] {
  const [pid = "", ppid = "", cpu = "", memory = "", ...rest] = line.trim().split(/\s+/, 5);
  if (rest.length > 0 || ![pid, ppid, memory].every((text) => /^\d{1,12}$/.test(text))) return [];
  const cpuPercent = Number(cpu.replace(",", "."));
  if (!Number.isFinite(cpuPercent) || cpuPercent < 0) return [];
  return [[Number(pid), { ppid: Number(ppid), cpuPercent, memoryBytes: Number(memory) * 1024 }]];
}

let page: number | undefined;

/** The size of a page of memory: what this process has in bytes and in pages. */
function pageBytes(): number {
  if (page === undefined) {
    const pages = Number(readFileSync("/proc/self/statm", "utf8").split(" ")[1]);
    page = 2 ** Math.round(Math.log2(process.memoryUsage.rss() / Math.max(1, pages)));
  }
  return page;
}
