import { resolve } from "node:path";
import type { SessionId, ShellId } from "../../core/protocol/ids.ts";
import type { ProcessInfo } from "../system/processes/process-source.ts";
import { processStart } from "../system/processes/process-start.ts";
import type { JoinedSession } from "./adapters/adapter.ts";
import { type ShellRef, shellKey, type WatchedShell } from "./agents-options.ts";
import type { Clock } from "./clock.ts";
import type { FoundAgent } from "./find-agents.ts";
import { LiveAgent } from "./live-agent.ts";
import type { Quotas } from "./quotas.ts";
import type { AgentRun, AgentSessionKey } from "./usage-store.ts";

/** An agent that was found by a poll, and a shell in which it is. */
export interface FoundInShell {
  readonly shell: ShellRef;
  readonly one: FoundAgent;
}

/** A running agent, its shell and its own session. */
export interface JoinedAgent extends JoinedSession {
  readonly session: SessionId;
  readonly shellId: ShellId;
}

/** An agent whose account has quota windows. */
export interface LimitedAgent {
  readonly shellId: ShellId;
  readonly agentType: string;
  readonly sessionId: string;
  /** See `AccountWindow.account`. */
  readonly account: string;
}

interface RunningAgentsOptions {
  readonly quotas: Quotas;
  readonly clock: Clock;
  /** Receives each agent that a person started, when it is first found. */
  readonly onNew: (agent: LiveAgent) => void;
}

/** The agents that the last poll found, and the shell that each of them is in. */
export class RunningAgents {
  readonly #options: RunningAgentsOptions;
  readonly #agents = new Map<string, LiveAgent>();

  constructor(options: RunningAgentsOptions) {
    this.#options = options;
  }

  all(): LiveAgent[] {
    return [...this.#agents.values()];
  }

  /** Returns the agents of a session that count. */
  in(session: SessionId): LiveAgent[] {
    return this.all().filter((agent) => agent.session === session && agent.counts);
  }

  /** Returns the agents of a session whose accounts have quota windows at a time. */
  limited(session: SessionId, now: number): LimitedAgent[] {
    return this.in(session).flatMap((agent) => {
      const { shellId, kind: agentType, joined } = agent;
      if (joined === undefined || agent.windows(now).length === 0) return [];
      return [{ shellId, agentType, sessionId: joined.sessionId, account: resolve(joined.home) }];
    });
  }

  /** Returns the agents of a shell that count, those that other agents started among them. */
  at(shell: ShellRef): LiveAgent[] {
    return this.allAt(shell).filter(({ counts }) => counts);
  }

  /** Returns the agents of a shell, and the processes there that only look like one. */
  allAt({ sessionId, shellId }: ShellRef): LiveAgent[] {
    return this.all().filter((agent) => agent.session === sessionId && agent.shellId === shellId);
  }

  /** Returns the agents of a kind that a person started, and whose session is known. */
  joined(kind: string): JoinedAgent[] {
    return this.all().flatMap(({ kind: own, joined, session, shellId, ended, startedBy }) =>
      own !== kind || joined === undefined || ended || startedBy !== undefined ? [] : [{ ...joined, session, shellId }],
    );
  }

  /** Returns the agents of a shell that work on an agent session, each with its join. */
  workingOn(shell: ShellRef, key: AgentSessionKey): { agent: LiveAgent; joined: JoinedSession }[] {
    return this.at(shell).flatMap((agent) => {
      const { kind, joined } = agent;
      return kind === key.agentType && joined?.sessionId === key.sessionId ? [{ agent, joined }] : [];
    });
  }

  readonly runsOn = ({ agentType, sessionId }: AgentSessionKey): boolean =>
    this.all().some(({ kind, joined }) => kind === agentType && joined?.sessionId === sessionId);

  /** Returns whether an agent runs on a session, or has none yet and may turn out to. */
  readonly mayRunOn = (run: AgentRun): boolean => {
    const hasNone = ({ kind, joined }: LiveAgent) => kind === run.agentType && joined === undefined;
    return this.runsOn(run) || this.at({ sessionId: run.session, shellId: run.shellId }).some(hasNone);
  };

  /**
   * Adds or refreshes the agents that were found. Several shells may show one tmux session: its agents stay where they are
   * while that shell shows them, and are otherwise of the first that does.
   * @returns those that are gone, or were in another shell
   */
  track(found: readonly FoundInShell[]): LiveAgent[] {
    const isWhereItWas = ({ shell, one }: FoundInShell) => {
      const known = this.#agents.get(one.id);
      return known?.session === shell.sessionId && known.shellId === shell.shellId;
    };
    const settled = found.filter(isWhereItWas);
    const kept = new Set(settled.map(({ one }) => one.id));
    for (const { shell, one } of settled) this.#add(shell, one);
    const left: LiveAgent[] = [];
    for (const { shell, one } of found) {
      if (kept.has(one.id)) continue;
      kept.add(one.id);
      left.push(...this.#remove(one.id));
      this.#add(shell, one);
    }
    const gone = [...this.#agents.keys()].filter((id) => !kept.has(id)).flatMap((id) => this.#remove(id));
    return [...gone, ...left];
  }

  /**
   * Returns the known agents that still run and are below no shell any more: what a tool has put into the background
   * belongs to init once the tool has ended. Without its shell an agent is kept only where another one has started it: what a
   * terminal that is closed takes with it is about to end.
   * @param below the processes below each shell that runs: one of them that is no agent has become another program
   */
  outliving(
    below: ReadonlyMap<number, readonly Pick<ProcessInfo, "pid">[]>,
    shells: readonly WatchedShell[],
  ): FoundInShell[] {
    const there = new Set(shells.filter(({ pid }) => below.has(pid)).map(shellKey));
    const seen = new Set([...below.values()].flatMap((processes) => processes.map(({ pid }) => pid)));
    return this.all().flatMap(({ found: one, session: sessionId, shellId, startedBy }) => {
      const { pid, startKey, pane } = one.process;
      const shell = { sessionId, shellId };
      const isKept = startedBy !== undefined || there.has(shellKey(shell));
      return isKept && pane === undefined && !seen.has(pid) && processStart(pid) === startKey ? [{ shell, one }] : [];
    });
  }

  #remove(id: string): LiveAgent[] {
    const known = this.#agents.get(id);
    this.#agents.delete(id);
    return known === undefined ? [] : [known];
  }

  #add({ sessionId, shellId }: ShellRef, found: FoundAgent): void {
    const known = this.#agents.get(found.id);
    if (known !== undefined) {
      // The start time is computed from the uptime and varies by some milliseconds.
      known.found = { ...found, launchedAt: known.found.launchedAt };
      return;
    }
    const { quotas, clock, onNew } = this.#options;
    const startedBy = found.startedBy === undefined ? undefined : this.#agents.get(found.startedBy);
    const agent = new LiveAgent({ session: sessionId, shellId }, found, { quotas, now: clock.now(), startedBy });
    this.#agents.set(found.id, agent);
    if (startedBy === undefined) onNew(agent);
  }
}
