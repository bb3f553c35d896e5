import type { Agent } from "../../core/protocol/agent-records.ts";
import type { SessionId } from "../../core/protocol/ids.ts";
import { type AgentSignal, ownReport, statusSignal } from "./agent-status.ts";
import { type AgentChange, type ShellRef, shellKey } from "./agents-options.ts";
import { ChangePace } from "./change-pace.ts";
import type { Clock } from "./clock.ts";
import type { LiveAgent } from "./live-agent.ts";
import { parseProgramReport, parseTaskReport, type TaskReport } from "./program-status.ts";
import { ReportedPrograms } from "./reported-programs.ts";

interface TerminalReportsOptions {
  readonly clock: Clock;
  /** The running agents of all shells. */
  readonly agents: () => Iterable<LiveAgent>;
  /** Publishes an agent if it has changed. Returns whether it has. */
  readonly publish: (agent: LiveAgent) => boolean;
  /** Whether a name is that of a program with an adapter. */
  readonly isKnown: (app: string) => boolean;
  readonly onChange: (change: AgentChange) => void;
}

/** An agent's title and status flicker at its start; they are published with the next poll. */
const FLICKER_MS = 1500;

/** Passes what programs report through the shells' terminals to the agents in them. A shell's reports reach no other. */
export class TerminalReports {
  readonly #options: TerminalReportsOptions;
  readonly #reported: ReportedPrograms;
  /** The latest signals of each terminal, for an agent that is found a moment later. */
  readonly #latest = new Map<string, Map<AgentSignal["kind"], { signal: AgentSignal; at: number }>>();
  readonly #pace: ChangePace;

  constructor(options: TerminalReportsOptions) {
    this.#options = options;
    this.#pace = new ChangePace(options.clock);
    this.#reported = new ReportedPrograms({ ...options, pace: this.#pace });
  }

  /** The programs of a session that report themselves and have no adapter. */
  list(session: SessionId): Agent[] {
    return this.#reported.list(session);
  }

  /** The last title of a terminal; empty without one. */
  titleOf(shell: ShellRef): string {
    const heard = this.#latest.get(shellKey(shell))?.get("title")?.signal;
    return heard?.kind === "title" ? heard.title : "";
  }

  /** Takes a signal of a shell's terminal. Returns whether an agent is known there. */
  receive(shell: ShellRef, signal: AgentSignal): boolean {
    const at = this.#options.clock.now();
    const here = this.#agentsIn(shell);
    const task = signal.kind === "program-status" ? parseTaskReport(signal.payload) : undefined;
    if (task !== undefined) {
      this.#receiveTask(shell, here, task);
      return here.length > 0;
    }
    if (signal.kind === "prompt") this.#reported.prompted(shell, at);
    this.#remember(shell, signal, at);
    for (const agent of here) {
      apply(agent, signal, at);
      this.#publish(agent);
    }
    // What an agent starts is its own business.
    if (signal.kind === "program-status" && here.length === 0) this.#reported.report(shell, signal.payload, at);
    return here.length > 0;
  }

  /** Gives an agent that was found just now the signals since its start. */
  replay(agent: LiveAgent): void {
    const heard = this.#latest.get(shellKey({ sessionId: agent.session, shellId: agent.shellId }));
    for (const { signal, at } of heard?.values() ?? []) if (at >= agent.found.launchedAt) apply(agent, signal, at);
  }

  /** Forgets all other shells. */
  keepOnly(shells: readonly ShellRef[], now: number): void {
    this.#reported.keepOnly(shells, now);
    const names = new Set(shells.map(shellKey));
    for (const name of this.#latest.keys()) if (!names.has(name)) this.#latest.delete(name);
  }

  #remember(shell: ShellRef, signal: AgentSignal, at: number): void {
    if (signal.kind === "program-status" && parseProgramReport(signal.payload) === undefined) return;
    const heard = this.#latest.get(shellKey(shell)) ?? new Map();
    this.#latest.set(shellKey(shell), heard.set(signal.kind, { signal, at }));
  }

  /** A task belongs to the program that is named, or else to the one that reported itself last in this terminal. */
  #receiveTask(shell: ShellRef, here: readonly LiveAgent[], task: TaskReport): void {
    const at = this.#options.clock.now();
    const heard = this.#latest.get(shellKey(shell))?.get("program-status")?.signal;
    const last = heard?.kind === "program-status" ? parseProgramReport(heard.payload) : undefined;
    if (here.length === 0) {
      this.#reported.reportTask(shell, task, { last: last?.app, at });
      return;
    }
    const [only, ...others] = here;
    const nameless = last === undefined ? task.app === undefined : last.app === undefined;
    const owner =
      named(here, task.app) ?? named(here, last?.app) ?? (nameless && others.length === 0 ? only : undefined);
    if (owner?.tasks.report(task, at) === true) this.#publish(owner);
  }

  #agentsIn({ sessionId, shellId }: ShellRef): LiveAgent[] {
    return [...this.#options.agents()].filter(
      (agent) =>
        agent.shellId === shellId &&
        agent.session === sessionId &&
        !agent.found.process.stopped &&
        // Of what its pane prints, tmux shows the text.
        agent.found.process.pane === undefined &&
        // What it writes goes to the agent that started it.
        agent.startedBy === undefined,
    );
  }

  #publish(agent: LiveAgent): void {
    if (this.#options.clock.now() - agent.found.launchedAt <= FLICKER_MS) return;
    this.#pace.run(agent, () => this.#options.publish(agent));
  }
}

function named(agents: readonly LiveAgent[], app: string | undefined): LiveAgent | undefined {
  return app === undefined ? undefined : agents.find(({ found }) => found.adapter.apps.includes(app));
}

function apply(agent: LiveAgent, signal: AgentSignal, at: number): void {
  const { apps, titleStatus } = agent.found.adapter;
  if (signal.kind === "prompt") agent.prompted(at);
  const report = signal.kind === "program-status" ? ownReport(signal.payload, apps) : undefined;
  if (report !== undefined) agent.receiveReport(report);
  const heard = statusSignal(signal, at, (title) => titleStatus(title, agent.titleStatus), apps);
  if (heard !== undefined) agent.receiveStatus(heard);
}
