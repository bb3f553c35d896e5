import { readFileSync } from "node:fs";

/** The fields of /proc/<pid>/stat that are used (proc(5)). */
export interface LinuxStat {
  readonly pid: number;
  /** At most 15 characters. */
  readonly comm: string;
  readonly state: string;
  readonly ppid: number;
  readonly pgrp: number;
  readonly session: number;
  /** Device number of the controlling terminal; "" for none. */
  readonly tty: string;
  /** The process group in the foreground of its terminal; -1 without a terminal. */
  readonly foregroundGroup: number;
  readonly threads: number;
  /** Processor time in clock ticks, of the kernel too. */
  readonly cpuTicks: number;
  readonly residentPages: number;
  /** Start time in clock ticks since boot. */
  readonly startTicks: string;
  /** Address of the arguments in memory; 0 when the process is not ours to inspect. */
  readonly argStart: number;
}

/** Undefined when there is no such process. */
export function readLinuxStat(pid: number): LinuxStat | undefined {
  try {
    return parseLinuxStat(pid, readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return undefined;
  }
}

/** Undefined for a text that is no stat line. The name may hold any character, so fields count from its last bracket. */
export function parseLinuxStat(pid: number, text: string): LinuxStat | undefined {
  const close = text.lastIndexOf(")");
  if (close === -1) return undefined;
  const fields = text.slice(close + 2).split(" ", 46);
  const [state = "", ppid, pgrp, session, tty = "0", foregroundGroup] = fields;
  return {
    pid,
    comm: text.slice(text.indexOf("(") + 1, close),
    state,
    ppid: Number(ppid),
    pgrp: Number(pgrp),
    session: Number(session),
    tty: tty === "0" ? "" : tty,
    foregroundGroup: Number(foregroundGroup),
    threads: Number(fields[17] ?? 1),
    cpuTicks: (Number(fields[11]) || 0) + (Number(fields[12]) || 0),
    residentPages: Math.max(0, Number(fields[21]) || 0),
    startTicks: fields[19] ?? "",
    argStart: Number(fields[45]),
  };
}

/** Whether the process has ended and only waits to be reaped. */
export function isDead({ state }: Pick<LinuxStat, "state">): boolean {
  return state === "Z" || state === "X";
}
