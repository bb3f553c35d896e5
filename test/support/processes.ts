import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { isDead, readLinuxStat } from "../../main/system/processes/linux-stat.ts";
import { until } from "./until.ts";

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** All processes that run now. One that has ended and only waits for its parent is none of them. */
export async function runningProcesses(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "pid=,ppid=,stat=,args="], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.split("\n").flatMap((line) => {
    const [, pid, parent, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || state?.startsWith("Z")) return [];
    return [{ pid: Number(pid), parent: Number(parent), command: command ?? "" }];
  });
}

/** All processes below one. */
export async function descendantsOf(root: number): Promise<Process[]> {
  const all = await runningProcesses();
  const below = (parent: number): Process[] =>
    all.filter((entry) => entry.parent === parent).flatMap((entry) => [entry, ...below(entry.pid)]);
  return below(root);
}

/** Waits until none of these processes runs any more. */
export async function untilGone(family: readonly Process[]): Promise<void> {
  const pids = family.map(({ pid }) => pid);
  await until(`the end of ${pids.join(", ")}`, () => areGone(pids));
}

/** Whether none of these runs. The list of all processes takes a program, so Linux is asked about these only. */
export async function areGone(pids: readonly number[]): Promise<boolean> {
  if (process.platform !== "linux") return (await runningProcesses()).every(({ pid }) => !pids.includes(pid));
  return pids.every((pid) => isDead(readLinuxStat(pid) ?? { state: "X" }));
}
