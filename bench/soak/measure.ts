import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** What a process and everything below it take, now. */
export interface Sample {
  /** Resident, in MB. */
  readonly memory: number;
  /** Open descriptors; 0 where the system does not tell. */
  readonly handles: number;
  /** The process itself and all below it. */
  readonly processes: number;
}

/** Of the process alone; `processes` counts those below it too. */
export function sample(pid: number): Sample {
  const rows = execFileSync("ps", ["-eo", "pid=,ppid=,rss="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const family = new Set([pid]);
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const [child = 0, parent = 0] of rows) if (family.has(parent)) family.add(child);
  }
  const own = rows.find(([id]) => id === pid);
  return { memory: (own?.[2] ?? 0) / 1024, handles: handlesOf(pid), processes: family.size };
}

/** The middle value of one figure. */
export function median(samples: readonly Sample[], figure: keyof Sample): number {
  return samples.map((one) => one[figure]).toSorted((a, b) => a - b)[samples.length >> 1] ?? 0;
}

/** Milliseconds of processor time that a process has used. */
export function processorTime(pid: number): number {
  if (process.platform !== "linux") return 0;
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function handlesOf(pid: number): number {
  return process.platform === "linux" ? readdirSync(`/proc/${pid}/fd`).length : 0;
}
