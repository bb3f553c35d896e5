import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setImmediate as immediate } from "node:timers/promises";
import { type LinuxStat, readLinuxStat } from "./linux-stat.ts";
import { lsof, lsofPaths, ps, psColumns } from "./unix-tools.ts";

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** The process group in the foreground of its terminal, -1 without a terminal. */
  readonly foregroundGroup: number;
  /** R, S, D, T, Z as in ps. */
  readonly state: string;
  readonly name: string;
}

/**
 * The processes of the terminal session that `shell` leads, without dead ones. The shell itself is among them also when it
 * was forked only now and is still in the session and the group of this process.
 */
export async function sessionMembers(shell: number): Promise<ProcessEntry[]> {
  const table = await (process.platform === "linux" ? linuxTable() : readPsTable(shell));
  const isMember = ({ pid, session }: ProcessEntry) => session === shell || pid === shell;
  return table.filter((entry) => isMember(entry) && !"ZX".includes(entry.state[0] ?? ""));
}

/** Name of the foreground program of the shell's terminal; undefined when unknown. */
export async function foregroundOf(shell: number): Promise<string | undefined> {
  if (process.platform !== "linux") {
    const members = await sessionMembers(shell);
    return members.find((entry) => entry.pid === entry.group && entry.state.includes("+"))?.name;
  }
  const group = readLinuxProcess(shell)?.foregroundGroup ?? -1;
  return group > 0 ? readLinuxProcess(group)?.name : undefined;
}

/** The foreground job of the shell's terminal: the shell itself or a program; undefined when unknown. */
export async function foregroundJob(
  shell: number,
): Promise<{ readonly pid: number; readonly name: string; readonly isShell: boolean } | undefined> {
  if (process.platform !== "linux") {
    const members = (await sessionMembers(shell)).filter(({ state }) => state.includes("+"));
    const leader = members.find(({ pid, group }) => pid === group) ?? members[0];
    return leader === undefined ? undefined : { pid: leader.pid, name: leader.name, isShell: leader.pid === shell };
  }
  const own = readLinuxProcess(shell);
  if (own === undefined || own.foregroundGroup <= 0) return undefined;
  if (own.foregroundGroup === own.group) return { pid: shell, name: own.name, isShell: true };
  // The leader of a pipeline may have ended before the others.
  const leader =
    readLinuxProcess(own.foregroundGroup) ?? readLinuxTable().find(({ group }) => group === own.foregroundGroup);
  return leader === undefined ? undefined : { pid: leader.pid, name: fullName(leader), isShell: false };
}

/** The kernel keeps 15 characters of a name; the rest is in the command line, unless the program has changed that. */
function fullName({ pid, name }: ProcessEntry): string {
  if (name.length < 15) return name;
  try {
    const [program = ""] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    const last = program.slice(program.lastIndexOf("/") + 1);
    return last.startsWith(name) ? last : name;
  } catch {
    return name;
  }
}

/** The program image of a process. */
export interface ProcessImage {
  /** Its name and arguments. */
  readonly command: readonly string[];
  /** Address of its arguments in memory: a fork shares its parent's, an executed program has another. */
  readonly argumentsAddress: number;
  /** Whether its standard input is a terminal. */
  readonly readsTerminal: boolean;
}

/** Reads the program image of a process; undefined when it is not readable, as for another user's process. */
export async function readProcessImage(pid: number): Promise<ProcessImage | undefined> {
  try {
    if (process.platform === "win32") return undefined;
    if (process.platform !== "linux") return await readProcessImageByPs(pid);
    const stat = readLinuxStat(pid);
    if (stat === undefined) return undefined;
    return {
      command: readFileSync(`/proc/${pid}/cmdline`, "utf8").replace(/\0$/, "").split("\0"),
      argumentsAddress: stat.argStart,
      readsTerminal: isTerminal(readlinkSync(`/proc/${pid}/fd/0`)),
    };
  } catch {
    return undefined;
  }
}

function isTerminal(path: string): boolean {
  return /^\/dev\/(?:pts\/\d+|tty)/.test(path);
}

async function readProcessImageByPs(pid: number): Promise<ProcessImage> {
  const [command, files] = await Promise.all([
    ps(["-o", "args=", "-p", String(pid)]),
    lsof(["-a", "-d", "0", "-p", String(pid), "-Fn"]),
  ]);
  if (files === "") throw new Error(`lsof tells nothing of process ${pid}`);
  const [input = ""] = lsofPaths(files);
  return { command: command.trim().split(/\s+/), argumentsAddress: 0, readsTerminal: isTerminal(input) };
}

/** Working directory of a process; undefined when unknown. */
export async function cwdOf(pid: number): Promise<string | undefined> {
  try {
    if (process.platform === "linux") return readlinkSync(`/proc/${pid}/cwd`);
    if (process.platform === "win32") return undefined;
    return lsofPaths(await lsof(["-a", "-d", "cwd", "-p", String(pid), "-Fn"]))[0];
  } catch {
    return undefined;
  }
}

function readLinuxTable(): ProcessEntry[] {
  return readdirSync("/proc").flatMap((name) => {
    const entry = /^\d+$/.test(name) ? readLinuxProcess(Number(name)) : undefined;
    return entry ?? [];
  });
}

function readLinuxProcess(pid: number): ProcessEntry | undefined {
  const stat = readLinuxStat(pid);
  return stat === undefined ? undefined : entryOf(stat);
}

function entryOf({
  pid,
  ppid: parent,
  pgrp: group,
  session,
  foregroundGroup,
  state,
  comm: name,
}: LinuxStat): ProcessEntry {
  return { pid, parent, group, session, foregroundGroup, state, name };
}

let nextTable: Promise<readonly ProcessEntry[]> | undefined;

/**
 * The processes of the machine, read once for all who ask in the same turn of the event loop: when hundreds of shells end
 * at once, each of them asks.
 */
function linuxTable(): Promise<readonly ProcessEntry[]> {
  nextTable ??= immediate().then(() => {
    nextTable = undefined;
    return readLinuxTable();
  });
  return nextTable;
}

/** Elsewhere ps reports no session ids, so the shell's descendants and their process groups stand for its session. */
async function readPsTable(shell: number): Promise<ProcessEntry[]> {
  if (process.platform === "win32") return [];
  const table = await ps(["-axo", "pid=,ppid=,pgid=,stat=,comm="]);
  const rows = table.split("\n").flatMap((line) => {
    const { columns: [pid = "", parent = "", group = "", state = ""] = [], rest = "" } = psColumns(line, 4) ?? {};
    return pid === "" ? [] : [{ pid: Number(pid), parent: Number(parent), group: Number(group), state, name: rest }];
  });
  const family = new Set([shell]);
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const { pid, parent } of rows) if (family.has(parent)) family.add(pid);
  }
  return rows.map(({ name, ...row }) => ({
    ...row,
    session: family.has(row.pid) ? shell : 0,
    foregroundGroup: -1,
    name: name.slice(name.lastIndexOf("/") + 1),
  }));
}
