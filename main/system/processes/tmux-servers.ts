import { readdirSync, readlinkSync, statSync } from "node:fs";
import type { LinuxStat } from "./linux-stat.ts";

interface TmuxServersOptions {
  /** The folder /proc. */
  readonly root: string;
  readonly stat: (pid: number) => LinuxStat | undefined;
  readonly pids: () => readonly number[];
}

/** The names that tmux gives its processes. */
const CLIENT = "tmux: client";
const SERVER = "tmux: server";
const TERMINAL = /^\/dev\/(?:pts\/|tty)/;
const STANDARD_FILES = 3;

/** Whether a process shows a tmux session in its terminal. */
export function isTmuxClient({ comm }: Pick<LinuxStat, "comm">): boolean {
  return comm === CLIENT;
}

/**
 * Finds the tmux server behind a client: the server holds its clients' terminals open, while its panes have others. Read
 * from /proc only: tmux's own commands would trust what the server answers (docs/decisions/0041).
 */
export class TmuxServers {
  readonly #options: TmuxServersOptions;
  /** The server of each client, by pid and start. */
  #servers = new Map<string, { readonly pid: number; readonly startTicks: string }>();

  constructor(options: TmuxServersOptions) {
    this.#options = options;
  }

  /** The server that serves a client now; undefined where there is none, or it is not ours to inspect. */
  of(client: LinuxStat): LinuxStat | undefined {
    const name = `${client.pid}/${client.startTicks}`;
    const terminal = this.#terminalOf(client.pid);
    if (terminal === undefined) return undefined;
    const known = this.#servers.get(name);
    const before = known && this.#options.stat(known.pid);
    if (before?.startTicks === known?.startTicks && this.#serves(before, terminal)) return before;
    this.#servers.delete(name);
    for (const pid of this.#options.pids()) {
      const server = this.#options.stat(pid);
      if (server === undefined || !this.#serves(server, terminal)) continue;
      this.#servers.set(name, { pid, startTicks: server.startTicks });
      return server;
    }
    return undefined;
  }

  /** Forgets all clients but those. */
  keepOnly(clients: readonly LinuxStat[]): void {
    const names = new Set(clients.map(({ pid, startTicks }) => `${pid}/${startTicks}`));
    for (const name of this.#servers.keys()) if (!names.has(name)) this.#servers.delete(name);
  }

  #serves(server: LinuxStat | undefined, terminal: string): server is LinuxStat {
    return (
      server?.comm === SERVER && this.#files(server.pid).some((fd) => this.#terminalAt(server.pid, fd) === terminal)
    );
  }

  #terminalOf(pid: number): string | undefined {
    for (let fd = 0; fd < STANDARD_FILES; fd += 1) {
      const terminal = this.#terminalAt(pid, String(fd));
      if (terminal !== undefined) return terminal;
    }
    return undefined;
  }

  #files(pid: number): readonly string[] {
    try {
      return readdirSync(`${this.#options.root}/${pid}/fd`);
    } catch {
      return [];
    }
  }

  /** Identifies the terminal that a process has open as that file; undefined for anything else. */
  #terminalAt(pid: number, fd: string): string | undefined {
    const path = `${this.#options.root}/${pid}/fd/${fd}`;
    try {
      // Asking a file on a hung disk would block.
      if (!TERMINAL.test(readlinkSync(path))) return undefined;
      const { dev, ino, rdev } = statSync(path);
      return `${dev}/${ino}/${rdev}`;
    } catch {
      return undefined;
    }
  }
}
