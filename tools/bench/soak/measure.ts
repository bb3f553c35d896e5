import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Current resource use of a process and its descendants. */
export interface Sample {
  /** Resident, in MB. */
  readonly memory: number;
  /** Open descriptors; 0 if the system does not report them. */
  readonly handles: number;
  /** The process and its descendants. */
  readonly processes: number;
}

/** Measures the process alone; `processes` includes its descendants. */
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

/** Returns the median of one figure. */
export function median(samples: readonly Sample[], figure: keyof Sample): number {
  return samples.map((one) => one[figure]).toSorted((a, b) => a - b)[samples.length >> 1] ?? 0;
}

/** Returns the milliseconds of processor time that a process has used. */
export function processorTime(pid: number): number {
  if (process.platform !== "linux") return 0;
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function handlesOf(pid: number): number {
  return process.platform === "linux" ? readdirSync(`/proc/${pid}/fd`).length : 0;
}
