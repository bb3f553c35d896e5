import type { ProcessInfo } from "../system/processes/process-source.ts";
import type { AgentAdapter } from "./adapters/adapter.ts";
import { homeOf } from "./adapters/agent-home.ts";
import { type AgentsOptions, type ShellRef, shellKey } from "./agents-options.ts";
import type { RunningAgents } from "./running-agents.ts";
import type { UsageStore } from "./usage-store.ts";

interface UnseenRunsOptions extends Pick<AgentsOptions, "screen" | "log"> {
  readonly adapters: readonly AgentAdapter[];
  readonly store: Pick<UsageStore, "allRuns" | "recordRun">;
  readonly running: Pick<RunningAgents, "runsOn">;
}

/** A command of a shell; times in ms. */
interface Command {
  readonly shell: ShellRef;
  readonly from: number;
  until: number | undefined;
  /** How long nobody looked for agents, at most. */
  unseenMs: number;
  /** A poll has found an agent in the shell meanwhile. */
  hadAgent: boolean;
}

/** No agent's run is shorter: its program takes as long to start. */
const SHORTEST_RUN_MS = 250;
/** How far off the times of a command and of a transcript may be. */
const INACCURACY_MS = 50;

/**
 * Finds the runs of agents that no poll has seen, because the machine was too busy to look while they lasted: the session
 * of the folder that began during a command, where the shell's screen names the agent, and no other one fits.
 */
export class UnseenRuns {
  readonly #options: UnseenRunsOptions;
  readonly #commands = new Map<string, Command>();
  #ended: Command[] = [];
  #polledAt = 0;

  constructor(options: UnseenRunsOptions) {
    this.#options = options;
  }

  /** A shell has begun a command. */
  commandStarted(shell: ShellRef, now: number): void {
    const command: Command = { shell, from: now, until: undefined, unseenMs: 0, hadAgent: false };
    this.#commands.set(shellKey(shell), command);
  }

  /** A shell shows its prompt again. */
  commandEnded(shell: ShellRef, now: number): void {
    const command = this.#commands.get(shellKey(shell));
    this.#commands.delete(shellKey(shell));
    if (command === undefined) return;
    command.unseenMs = Math.max(command.unseenMs, now - Math.max(command.from, this.#polledAt));
    command.until = now;
    if (command.unseenMs >= SHORTEST_RUN_MS && !command.hadAgent) this.#ended.push(command);
  }

  /** A poll has listed the processes, with agents in these shells. */
  polled(now: number, withAgents: ReadonlySet<string>): void {
    for (const [key, command] of this.#commands) {
      command.unseenMs = Math.max(command.unseenMs, now - Math.max(command.from, this.#polledAt));
      command.hadAgent ||= withAgents.has(key);
    }
    this.#polledAt = now;
  }

  /**
   * Records what ran unseen in the commands that have ended; it is read with what else is unread. Never rejects.
   * @param programOf returns the process of a shell itself; undefined for one that has ended, whose command is forgotten
   * @returns whether there was any
   */
  async find(programOf: (shell: ShellRef) => ProcessInfo | undefined): Promise<boolean> {
    const ended = this.#ended;
    this.#ended = [];
    let found = false;
    for (const [key, { shell }] of this.#commands) if (programOf(shell) === undefined) this.#commands.delete(key);
    for (const command of ended) {
      try {
        const text = (await this.#options.screen?.(command.shell)) ?? "";
        for (const adapter of this.#options.adapters)
          if (text.includes(adapter.kind) && this.#record(command, adapter, programOf)) found = true;
      } catch (error) {
        this.#options.log("agents that ran unseen could not be looked for", { error: String(error) });
      }
    }
    return found;
  }

  #record(
    { shell: { sessionId: session, shellId }, from, until = from }: Command,
    adapter: AgentAdapter,
    programOf: (shell: ShellRef) => ProcessInfo | undefined,
  ): boolean {
    const { store, running } = this.#options;
    const program = programOf({ sessionId: session, shellId });
    const home = program && homeOf(adapter, program);
    const cwd = program?.cwd();
    if (program === undefined || home === undefined || cwd === undefined) return false;
    const agentType = adapter.kind;
    const known = new Set(store.allRuns().flatMap((run) => (run.agentType === agentType ? run.sessionId : [])));
    const runsOn = (sessionId: string) => running.runsOn({ agentType, sessionId });
    const [sessionId, ...others] = adapter.sessionsOf({
      ...{ pid: program.pid, argv: [agentType, ONE_PROMPT], home, cwd },
      ...{ launchedAt: from, endedAt: until, inaccuracy: INACCURACY_MS },
      ...{ taken: (id) => known.has(id) || runsOn(id), runsOn },
    });
    if (sessionId === undefined || others.length > 0) return false;
    const [startedAt, endedAt] = [new Date(from).toISOString(), new Date(until).toISOString()];
    const ran = { session, shellId, agentType, sessionId, home, cwd, model: "" };
    store.recordRun({ ...ran, startedAt, lastActivityAt: endedAt, endedAt });
    return true;
  }
}

/** Only a run of one prompt is so short. Codex calls it so, and the others need no word for it. */
const ONE_PROMPT = "exec";
