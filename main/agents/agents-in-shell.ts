import { LinuxProcesses, MAX_PROCESSES } from "../system/processes/linux-processes.ts";
import type { ProcessInfo } from "../system/processes/process-source.ts";
import { processSource } from "../system/processes/processes.ts";
import type { AgentAdapter, Recognition } from "./adapters/adapter.ts";
import { type ShellRef, shellKey, type WatchedShell } from "./agents-options.ts";
import { findAgents, type Recognise } from "./find-agents.ts";

/** An agent that runs in a shell now, or a process that it has left running there. */
export interface PresentAgent {
  /** Identifies this run of the agent on the machine. */
  readonly run: string;
  readonly agentType: string;
  /** Its working directory; "" when unknown. */
  readonly folder: string;
  readonly recognition: Recognition;
}

/** An agent that was seen in a shell; times in ms since the epoch. */
interface SeenAgent extends PresentAgent {
  readonly from: number;
  /** When it was last seen. */
  until: number;
}

/** Agents remembered per shell; beyond this the oldest are forgotten. */
const MAX_SEEN = 200;
/** Start times are exact to some 10 ms, and an agent's end is noticed at the next poll. */
const SLACK_MS = 1500;
/** Between fork and exec a process has its parent's environment; afterwards its own does not change. */
const YOUNG_MS = 5000;

/**
 * Finds the agents in a shell, afresh at every call: among the shell's own process and all below it, with or without
 * its terminal, and (on Linux) among processes that have left it but carry its environment. Uncertain matches count. A
 * process that an agent has left behind counts as that agent.
 */
export class AgentsInShell {
  readonly #recognise: Recognise;
  readonly #source;
  readonly #linux: LinuxProcesses | undefined;
  readonly #seen = new Map<string, Map<string, SeenAgent>>();
  #shellKeys = new Map<number, { readonly startKey: string; readonly mark: string }>();

  constructor(adapters: readonly AgentAdapter[], procRoot?: string) {
    this.#source = processSource(procRoot, { anyTerminal: true, withRoots: true });
    this.#linux = this.#source instanceof LinuxProcesses ? this.#source : undefined;
    this.#recognise = (process) => {
      for (const adapter of adapters) {
        const recognition = adapter.recognise(process);
        if (recognition !== undefined) return { adapter, recognition };
      }
      return undefined;
    };
  }

  /** Records that polling found an agent in the shell. */
  note(shell: ShellRef, agent: PresentAgent, from: number): void {
    const mark = shellKey(shell);
    const seen = this.#seen.get(mark) ?? new Map<string, SeenAgent>();
    this.#seen.set(mark, seen);
    const known = seen.get(agent.run);
    if (known === undefined) seen.set(agent.run, { ...agent, from, until: Date.now() });
    else known.until = Date.now();
    const [oldest] = seen.keys();
    if (seen.size > MAX_SEEN && oldest !== undefined) seen.delete(oldest);
  }

  /** Forgets all other shells. */
  keepOnly(shells: readonly ShellRef[]): void {
    const marks = new Set(shells.map(shellKey));
    for (const mark of this.#seen.keys()) if (!marks.has(mark)) this.#seen.delete(mark);
  }

  /** Rejects when the processes of the shell cannot be read. */
  async in(shell: WatchedShell): Promise<readonly PresentAgent[]> {
    const inside = (await this.#source.below([shell.pid])).get(shell.pid);
    if (inside === undefined) throw new Error("the shell's process was not found");
    if (inside.length >= MAX_PROCESSES) throw new Error("the shell has too many processes to look at");
    const pids = new Set(inside.map(({ pid }) => pid));
    const outside = this.#withEnvironmentOf(shellKey(shell)).filter(({ pid }) => !pids.has(pid));
    // What an agent has started counts as that agent.
    const started = findAgents([...inside, ...outside], this.#recognise).filter((one) => one.startedBy === undefined);
    const found = started.map(({ id, adapter, process, launchedAt, recognition }) => {
      const agent = { run: id, agentType: adapter.kind, folder: process.cwd() ?? "", recognition };
      this.note(shell, agent, launchedAt);
      return agent;
    });
    const present = new Map(found.map((agent) => [agent.run, agent]));
    for (const { from: _, until: __, ...agent } of this.#leftBehind(shell, outside)) {
      if (!present.has(agent.run)) present.set(agent.run, agent);
    }
    return [...present.values()];
  }

  /** The agents that started, while they ran, a process that has left the shell and still runs. */
  #leftBehind(shell: WatchedShell, outside: readonly ProcessInfo[]): SeenAgent[] {
    return [...(this.#seen.get(shellKey(shell))?.values() ?? [])].filter(({ from, until }) =>
      outside.some(({ startedAt }) => startedAt >= from - SLACK_MS && startedAt <= until + SLACK_MS),
    );
  }

  /** The processes of the machine that carry the environment of a shell. */
  #withEnvironmentOf(mark: string): ProcessInfo[] {
    const linux = this.#linux;
    if (linux === undefined) return [];
    const marks = new Map<number, { readonly startKey: string; readonly mark: string }>();
    const now = Date.now();
    const bootedAt = linux.bootedAt();
    const found = linux.pids().flatMap((pid) => {
      const process = linux.process(pid, bootedAt);
      if (process === undefined) return [];
      const known = this.#shellKeys.get(pid);
      const own = known?.startKey === process.startKey ? known.mark : shellKeyOf(process);
      if (own !== "" || now - process.startedAt > YOUNG_MS) marks.set(pid, { startKey: process.startKey, mark: own });
      return own === mark ? [process] : [];
    });
    this.#shellKeys = marks;
    // Parents first, as far as both are present.
    return found.sort((one, other) => one.startedAt - other.startedAt);
  }
}

function shellKeyOf(process: ProcessInfo): string {
  const shell = process.env("SERVICE_SHELL_ID");
  return shell === undefined ? "" : `${process.env("SERVICE_SESSION") ?? ""}/${shell}`;
}
