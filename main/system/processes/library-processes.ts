import { statSync } from "node:fs";
import { basename } from "node:path";
import type { Systeminformation } from "systeminformation";
import type { ProcessInfo, ProcessOptions, ProcessSource } from "./process-source.ts";

type Row = Systeminformation.ProcessesProcessData;

/** Each query starts a program, which is slow on Windows: queries within this time share one. */
const SHARED_MS = 2000;

/**
 * For Windows, using the systeminformation library. Consoles are no terminals there, so every process below a shell
 * counts as in its terminal; working folder, environment and open files of other processes are not available.
 */
export class LibraryProcesses implements ProcessSource {
  readonly #withRoots: boolean;
  #rows: Promise<readonly Row[]> = Promise.resolve([]);
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor({ withRoots = false }: ProcessOptions = {}) {
    this.#withRoots = withRoots;
  }

  async below(roots: readonly number[]): Promise<ReadonlyMap<number, readonly ProcessInfo[]>> {
    if (roots.length === 0) return new Map();
    const children = new Map<number, Row[]>();
    const rows = await this.#list();
    for (const row of rows) {
      const siblings = children.get(row.parentPid);
      if (siblings === undefined) children.set(row.parentPid, [row]);
      else siblings.push(row);
    }
    const below = new Map(roots.map((root) => [root, collect(root, children, new Set())]));
    if (!this.#withRoots) return below;
    const selves = rows.filter(({ pid }) => below.has(pid));
    for (const row of selves) below.set(row.pid, [infoOf(row), ...(below.get(row.pid) ?? [])]);
    return new Map(selves.map(({ pid }) => [pid, below.get(pid) ?? []]));
  }

  #list(): Promise<readonly Row[]> {
    const now = performance.now();
    if (now - this.#askedAt > SHARED_MS) {
      this.#askedAt = now;
      this.#rows = listProcesses();
    }
    return this.#rows;
  }
}

/** The library is large, and only this system needs it. */
async function listProcesses(): Promise<readonly Row[]> {
  const { processes } = await import("systeminformation");
  return (await processes()).list;
}

/** Process ids are reused, so an apparent parent can be younger than its child: `seen` breaks such cycles. */
function collect(pid: number, children: ReadonlyMap<number, readonly Row[]>, seen: Set<number>): ProcessInfo[] {
  const own = (children.get(pid) ?? []).filter((row) => !seen.has(row.pid));
  for (const row of own) seen.add(row.pid);
  return own.flatMap((row) => [infoOf(row), ...collect(row.pid, children, seen)]);
}

function infoOf({ pid, parentPid: ppid, name, command, params, path, started }: Row): ProcessInfo {
  const words = [...`${command} ${params}`.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? "",
  );
  const exe = path === "" ? (words[0] ?? "") : path;
  return {
    pid,
    ppid,
    pgrp: ppid,
    tty: "console",
    startKey: started,
    startedAt: Date.parse(started),
    stopped: false,
    comm: basename(name).replace(/\.exe$/i, ""),
    argv: () => words,
    exe: () => exe,
    exeSize: () => statSync(exe, { throwIfNoEntry: false })?.size ?? 0,
    cwd: () => undefined,
    env: (variable) => process.env[variable],
    openFiles: () => [],
  };
}
