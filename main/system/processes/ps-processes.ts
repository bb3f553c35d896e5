import { statSync } from "node:fs";
import { basename } from "node:path";
import type { ProcessInfo, ProcessOptions, ProcessSource } from "./process-source.ts";
import { lsofPaths, lsofSync, ps, psColumns, START_COLUMNS, startOf } from "./unix-tools.ts";

/**
 * For systems without /proc: one `ps` for all processes, and `lsof` only for a process that an adapter asks about. The
 * environment of another process is out of reach, so the relay's own stands in for it.
 */
export class PsProcesses implements ProcessSource {
  readonly #anyTerminal: boolean;
  readonly #withRoots: boolean;

  constructor({ anyTerminal = false, withRoots = false }: ProcessOptions = {}) {
    this.#anyTerminal = anyTerminal;
    this.#withRoots = withRoots;
  }

  async below(roots: readonly number[]): Promise<ReadonlyMap<number, readonly ProcessInfo[]>> {
    const children = new Map<number, PsProcess[]>();
    const byPid = new Map<number, PsProcess>();
    if (roots.length === 0) return new Map();
    const table = await ps(["-ax", "-ww", "-o", COLUMNS]).catch(() => "");
    for (const line of table.split("\n").slice(1)) {
      const one = parseLine(line);
      if (one === undefined) continue;
      byPid.set(one.pid, one);
      children.set(one.ppid, [...(children.get(one.ppid) ?? []), one]);
    }
    const found = new Map<number, readonly ProcessInfo[]>();
    for (const root of roots) {
      const self = byPid.get(root);
      if (self === undefined) continue;
      const below = collect(root, this.#anyTerminal ? undefined : self.tty, children);
      found.set(root, this.#withRoots ? [self, ...below] : below);
    }
    return found;
  }
}

function collect(
  pid: number,
  tty: string | undefined,
  children: ReadonlyMap<number, readonly PsProcess[]>,
): PsProcess[] {
  const own = (children.get(pid) ?? []).filter((child) => (tty === undefined || child.tty === tty) && !child.ended);
  return own.flatMap((child) => [child, ...collect(child.pid, tty, children)]);
}

const COLUMNS = "pid=PID,ppid=PPID,pgid=PGID,tty=TTY,stat=STAT,lstart=STARTED,args=ARGS";

const COLUMN_COUNT = 5 + START_COLUMNS;

export function parseLine(line: string): PsProcess | undefined {
  const { columns, rest } = psColumns(line, COLUMN_COUNT) ?? { columns: [], rest: "" };
  const [pid = "", ppid = "", pgrp = "", tty = "", stat = "", ...started] = columns;
  if (![pid, ppid, pgrp].every((id) => /^\d+$/.test(id))) return undefined;
  return new PsProcess(Number(pid), Number(ppid), Number(pgrp), tty, stat, startOf(started), rest);
}

class PsProcess implements ProcessInfo {
  readonly pid: number;
  readonly ppid: number;
  readonly pgrp: number;
  readonly tty: string;
  readonly startKey: string;
  readonly startedAt: number;
  readonly stopped: boolean;
  readonly ended: boolean;
  readonly comm: string;
  readonly #args: string;

  constructor(pid: number, ppid: number, pgrp: number, tty: string, stat: string, started: string, args: string) {
    this.pid = pid;
    this.ppid = ppid;
    this.pgrp = pgrp;
    this.tty = /^\?+$|^-$/.test(tty) ? "" : tty;
    this.startKey = started;
    this.startedAt = Date.parse(`${started} UTC`);
    this.stopped = stat.startsWith("T");
    this.ended = stat.startsWith("Z");
    this.#args = args;
    this.comm = basename(this.argv()[0] ?? "");
  }

  /** `ps` joins the arguments with spaces; words are all that the adapters look at. */
  argv(): readonly string[] {
    return this.#args.split(" ");
  }

  exe(): string {
    return this.argv()[0] ?? "";
  }

  exeSize(): number {
    return statSync(this.exe(), { throwIfNoEntry: false })?.size ?? 0;
  }

  cwd(): string | undefined {
    return lsofPaths(lsofSync(["-a", "-p", String(this.pid), "-d", "cwd", "-Fn"]))[0];
  }

  env(name: string): string | undefined {
    return process.env[name];
  }

  openFiles(): readonly string[] {
    return lsofPaths(lsofSync(["-p", String(this.pid), "-Fn"]));
  }
}
