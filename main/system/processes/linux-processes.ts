import { readdirSync, readlinkSync, statSync } from "node:fs";
import { withoutTrailing } from "../../../core/protocol/without-trailing.ts";
import { isDead, type LinuxStat, parseLinuxStat } from "./linux-stat.ts";
import { folderHere, hasOwnFiles } from "./mount-namespace.ts";
import type { ProcessInfo, ProcessOptions, ProcessSource } from "./process-source.ts";
import { readProcFile } from "./read-proc-file.ts";
import { isTmuxClient, TmuxServers } from "./tmux-servers.ts";

/** USER_HZ, which is 100 on every Linux that Node runs on. */
const TICK_MS = 10;
export const MAX_PROCESSES = 2000;
const BUFFER_BYTES = 256 * 1024;

/** The processes of one shell while they are read. */
interface Collected {
  readonly terminal: string;
  readonly bootedAt: number;
  readonly processes: Map<number, ProcessInfo>;
  /** Clients of tmux among them. */
  readonly clients: LinuxStat[];
}

/**
 * Reads /proc from the shells downwards, never the whole machine: one small read per idle shell. Skips processes
 * without their shell's terminal (an agent's tool, a daemon) unless `anyTerminal`. With `withRoots` the given processes
 * come first: a shell may have been replaced by another program (`exec`). With both, the processes in the panes of a tmux
 * session that the terminal shows are the shell's, too: they are below tmux's server, which is not.
 */
export class LinuxProcesses implements ProcessSource {
  readonly #root: string;
  readonly #anyTerminal: boolean;
  readonly #withRoots: boolean;
  readonly #tmux: TmuxServers;
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  /** A shell's terminal does not change while it lives. */
  #terminals = new Map<number, string>();

  constructor(root: string, { anyTerminal = false, withRoots = false }: ProcessOptions = {}) {
    this.#root = root;
    this.#anyTerminal = anyTerminal;
    this.#withRoots = withRoots;
    this.#tmux = new TmuxServers({ root, stat: (pid) => this.#stat(pid), pids: () => this.pids() });
  }

  /** Pids of all processes of the machine. */
  pids(): number[] {
    return readdirSync(this.#root).flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  }

  /** The process of that pid; undefined when it has ended, also when it was not reaped yet. */
  process(pid: number, bootedAt = this.bootedAt()): ProcessInfo | undefined {
    const stat = this.#stat(pid);
    if (stat === undefined || isDead(stat)) return undefined;
    return new LinuxProcess(this.#root, { ...stat, pane: undefined }, bootedAt, (path) => this.#read(path));
  }

  newest(): string | undefined {
    return this.#read(`${this.#root}/loadavg`).trimEnd().split(" ").at(-1) || undefined;
  }

  async below(roots: readonly number[]): Promise<ReadonlyMap<number, readonly ProcessInfo[]>> {
    const withRoot = this.#withRoots;
    const found = new Map<number, readonly ProcessInfo[]>();
    const terminals = new Map<number, string>();
    const clients: LinuxStat[] = [];
    let bootedAt: number | undefined;
    for (const root of roots) {
      const children = this.#children(root, 1);
      if (children.length === 0 && !withRoot) {
        const known = this.#terminals.get(root);
        if (known !== undefined) terminals.set(root, known);
        found.set(root, []);
        continue;
      }
      const terminal = this.#terminals.get(root) ?? this.#stat(root)?.tty;
      if (terminal === undefined) continue;
      terminals.set(root, terminal);
      bootedAt ??= this.bootedAt();
      const collected: Collected = { terminal, bootedAt, clients: [], processes: new Map() };
      const self = withRoot ? this.#stat(root) : undefined;
      if (withRoot && (self === undefined || isDead(self))) continue;
      if (self !== undefined) this.#add(self, collected);
      for (const child of children) this.#collect(child, collected);
      if (withRoot && this.#anyTerminal) this.#collectPanes(collected);
      clients.push(...collected.clients);
      found.set(root, [...collected.processes.values()]);
    }
    this.#terminals = terminals;
    this.#tmux.keepOnly(clients);
    return found;
  }

  #collect(pid: number, collected: Collected, pane?: number): void {
    if (collected.processes.size >= MAX_PROCESSES || collected.processes.has(pid)) return;
    const stat = this.#stat(pid);
    if (stat === undefined || (stat.tty !== collected.terminal && !this.#anyTerminal) || isDead(stat)) return;
    this.#add(stat, collected, pane);
    for (const child of this.#children(pid, stat.threads)) this.#collect(child, collected, pane);
  }

  #add(stat: LinuxStat, { bootedAt, clients, processes }: Collected, pane?: number): void {
    processes.set(stat.pid, new LinuxProcess(this.#root, { ...stat, pane }, bootedAt, (path) => this.#read(path)));
    if (isTmuxClient(stat)) clients.push(stat);
  }

  /** Adds what runs in the panes behind the clients that were found, and behind clients in those panes. */
  #collectPanes(collected: Collected): void {
    // The list grows while it is read. A server that runs below the shell was collected with it.
    for (const client of collected.clients) {
      const server = this.#tmux.of(client);
      const panes = server === undefined ? [] : this.#children(server.pid, server.threads);
      for (const pane of panes) this.#collect(pane, collected, pane);
    }
  }

  /** Child processes are listed by the thread that created them. */
  #children(pid: number, threads: number): number[] {
    const own = numbers(this.#read(`${this.#root}/${pid}/task/${pid}/children`));
    if (threads <= 1) return own;
    try {
      const others = readdirSync(`${this.#root}/${pid}/task`).filter((thread) => thread !== String(pid));
      return own.concat(...others.map((thread) => numbers(this.#read(`${this.#root}/${pid}/task/${thread}/children`))));
    } catch {
      return own;
    }
  }

  #stat(pid: number): LinuxStat | undefined {
    return parseLinuxStat(pid, this.#read(`${this.#root}/${pid}/stat`));
  }

  /**
   * From the uptime, which is ten times as precise as the boot time in /proc/stat. The clock is read first: where this process
   * has to wait between the two, programs seem to have started earlier, never after what they wrote.
   */
  bootedAt(): number {
    const now = Date.now();
    const uptime = Number.parseFloat(this.#read(`${this.#root}/uptime`));
    return Number.isNaN(uptime) ? 0 : now - uptime * 1000;
  }

  #read(path: string): string {
    return readProcFile(path, this.#buffer);
  }
}

function numbers(text: string): number[] {
  return text === ""
    ? []
    : text
        .trim()
        .split(" ")
        .map(Number)
        .filter((pid) => pid > 0);
}

class LinuxProcess implements ProcessInfo {
  readonly pid: number;
  readonly ppid: number;
  readonly pgrp: number;
  readonly tty: string;
  readonly startKey: string;
  readonly startedAt: number;
  readonly stopped: boolean;
  readonly comm: string;
  readonly pane: number | undefined;
  readonly cost: Pick<LinuxStat, "cpuTicks" | "residentPages">;
  readonly #root: string;
  readonly #folder: string;
  readonly #read: (path: string) => string;
  #argv: readonly string[] | undefined;
  #environment: string | undefined;
  #exe: string | undefined;
  #hasOwnFiles: boolean | undefined;

  constructor(
    root: string,
    stat: LinuxStat & { readonly pane: number | undefined },
    bootedAt: number,
    read: (path: string) => string,
  ) {
    this.pid = stat.pid;
    this.ppid = stat.ppid;
    this.pgrp = stat.pgrp;
    this.tty = stat.tty;
    this.startKey = stat.startTicks;
    this.startedAt = bootedAt + Number(stat.startTicks) * TICK_MS;
    this.stopped = stat.state === "T";
    this.comm = stat.comm;
    this.pane = stat.pane;
    this.cost = stat;
    this.#root = root;
    this.#folder = `${root}/${stat.pid}`;
    this.#read = read;
  }

  argv(): readonly string[] {
    if (this.#argv === undefined) {
      const words = withoutTrailing(this.#read(`${this.#folder}/cmdline`), "\0");
      this.#argv = words === "" ? [] : words.split("\0");
    }
    return this.#argv;
  }

  exe(): string {
    this.#exe ??= this.#link("exe") ?? "";
    return this.#exe;
  }

  exeSize(): number {
    try {
      return statSync(`${this.#folder}/exe`).size;
    } catch {
      return 0;
    }
  }

  cwd(): string | undefined {
    return this.#link("cwd")?.replace(/ \(deleted\)$/, "");
  }

  env(name: string): string | undefined {
    this.#environment ??= `\0${this.#read(`${this.#folder}/environ`)}`;
    const start = this.#environment.indexOf(`\0${name}=`);
    if (start === -1) return undefined;
    const value = start + name.length + 2;
    const end = this.#environment.indexOf("\0", value);
    return this.#environment.slice(value, end === -1 ? undefined : end);
  }

  openFiles(): readonly string[] {
    try {
      return readdirSync(`${this.#folder}/fd`).flatMap((fd) => this.#link(`fd/${fd}`) ?? []);
    } catch {
      return [];
    }
  }

  foreignFiles(): ((folder: string) => string | undefined) | undefined {
    this.#hasOwnFiles ??= hasOwnFiles(this.#root, this.pid);
    return this.#hasOwnFiles ? (folder) => folderHere(this.#root, this.pid, folder) : undefined;
  }

  #link(name: string): string | undefined {
    try {
      return readlinkSync(`${this.#folder}/${name}`);
    } catch {
      return undefined;
    }
  }
}
