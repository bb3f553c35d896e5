import type { Agent } from "../../core/protocol/agent-records.ts";
import type { Accounts } from "./accounts.ts";
import type { AgentAdapter, JoinedSession } from "./adapters/adapter.ts";
import type { DetachedTurns } from "./detached-turns.ts";
import type { LiveAgent } from "./live-agent.ts";
import type { AgentRun, UsageStore } from "./usage-store.ts";

interface Options {
  readonly accounts: Accounts;
  readonly store: UsageStore;
  readonly adapters: readonly AgentAdapter[];
  readonly detached: Pick<DetachedTurns, "take">;
  readonly log: (message: string, fields?: object) => void;
}

/**
 * Reads the last records of ended agents, including those that ended before their session was known or their account
 * was opened, and those that ended while no relay ran. Reading a session again counts nothing twice.
 */
export class EndedAgents {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Tells the session of an agent that ended before it was known. Where several may be the agent's, none is: a wrong sum
   * is worse than a missing one.
   * @param endedAt - when it was seen to be gone, in ms
   * @param taken - is an agent session another agent's?
   */
  sessionOf(agent: LiveAgent, endedAt: number, taken: (sessionId: string) => boolean): JoinedSession | undefined {
    const { lastSeen, found } = agent;
    if (lastSeen === undefined) return undefined;
    const { process, launchedAt, adapter } = found;
    const inaccuracy = /^\d+$/.test(process.startKey) ? EXACT_MS : VAGUE_MS;
    const ended = { ...lastSeen, pid: process.pid, launchedAt, endedAt, inaccuracy, taken };
    const [sessionId, ...others] = adapter.sessionsOf(ended);
    const { home, cwd } = lastSeen;
    return sessionId === undefined || others.length > 0 ? undefined : { sessionId, home, cwd };
  }

  /**
   * Reads all records of an agent whose process has ended. Never rejects.
   * @param endedAt - when it ended, in ms; undefined where its shell ended with it
   */
  async finish(agent: LiveAgent, endedAt: number | undefined): Promise<void> {
    if (agent.joined === undefined || !agent.counts) return;
    // At once, because the reading takes a while.
    this.keep(agent, endedAt);
    const { account, kept } = await this.#options.accounts.readToEnd(agent.found.adapter, agent.joined);
    agent.account ??= account;
    this.keep(agent, endedAt);
    if (kept) this.#markRead(agent.kind, agent.joined.sessionId);
  }

  /** Withdraws an agent's claim to its session. */
  disown(agent: LiveAgent): void {
    const run = runOf(agent);
    if (run !== undefined) this.#attempt(() => this.#options.store.removeRun(run));
    agent.joined = undefined;
    agent.account = undefined;
  }

  /** Reads the rest of a session that an agent has left for another. */
  async leave(agent: LiveAgent, { home, sessionId }: JoinedSession, leftAt: number): Promise<void> {
    this.keep(agent, leftAt);
    const { kept } = await this.#options.accounts.readToEnd(agent.found.adapter, { home, sessionId });
    if (kept) this.#markRead(agent.kind, sessionId);
  }

  /**
   * Reads the sessions that an earlier relay did not read to their end.
   * @param runsOn - does an agent still work on it? Then its end comes later.
   */
  async catchUp(runsOn: (run: AgentRun) => boolean): Promise<void> {
    const { store, adapters, accounts, detached } = this.#options;
    for (const run of store.unread()) {
      const adapter = adapters.find(({ kind }) => kind === run.agentType);
      if (adapter === undefined || runsOn(run)) continue;
      const { account, kept } = await accounts.readToEnd(adapter, run);
      // An agent that was found meanwhile reads on by itself.
      if (!kept || runsOn(run)) continue;
      if (detached.take(run, adapter, account)) continue;
      const lastActivityAt = account?.lastAt ?? run.lastActivityAt;
      this.#attempt(() => store.recordRun({ ...run, model: account?.model || run.model, lastActivityAt }));
      this.#markRead(run.agentType, run.sessionId);
    }
  }

  /**
   * Stores where an agent's session was seen.
   * @param leftAt - when the agent left it, in ms; undefined while it works on it
   */
  keep(agent: LiveAgent, leftAt?: number): void {
    const run = agent.counts ? runOf(agent) : undefined;
    if (run === undefined) return;
    const endedAt = leftAt === undefined ? undefined : new Date(leftAt).toISOString();
    this.#attempt(() => this.#options.store.recordRun({ ...run, endedAt }));
  }

  /**
   * An agent that certainly works on a session takes the place of what was noted of its kind in its shell and runs no more,
   * such as the conversation that was to be resumed there.
   */
  replaced({ session, shellId, kind, joined }: LiveAgent, at: number, runsOn: (run: AgentRun) => boolean): void {
    for (const run of this.#options.store.runs(session)) {
      const isHere = run.shellId === shellId && run.agentType === kind;
      if (isHere && run.sessionId !== joined?.sessionId && isOpen(run) && !runsOn(run)) this.#close(run, at);
    }
  }

  /** Notes the agents that left their shells while no relay ran. What ended with its shell stays open, to be resumed. */
  leftUnseen(at: number, hasLeft: (run: AgentRun) => boolean): void {
    for (const run of this.#options.store.allRuns()) if (isOpen(run) && hasLeft(run)) this.#close(run, at);
  }

  #close(run: AgentRun, at: number): void {
    this.#attempt(() => this.#options.store.recordRun({ ...run, endedAt: new Date(at).toISOString() }));
  }

  #markRead(agentType: string, sessionId: string): void {
    this.#attempt(() => this.#options.store.markRead({ agentType, sessionId }));
  }

  #attempt(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#options.log("an agent's run could not be kept", { error: String(error) });
    }
  }
}

/** Whether an agent that a shell has started has not been seen to leave the session of a run. */
function isOpen({ endedAt, startedBy }: AgentRun): boolean {
  return endedAt === undefined && startedBy === undefined;
}

/** An agent's session as the store and the listings know it; undefined while the session is not known. */
export function runOf(agent: LiveAgent): AgentRun | undefined {
  const { joined, account, session, shellId, kind, model, found } = agent;
  const parent = agent.startedBy;
  if (joined === undefined) return undefined;
  const launched = new Date(found.launchedAt).toISOString();
  const startedAt = account?.firstAt ?? launched;
  const lastActivityAt = account?.lastAt ?? launched;
  const { sessionId, home, cwd } = joined;
  const startedBy = parent?.joined && {
    startedBy: { agentType: parent.kind, sessionId: parent.joined.sessionId },
  };
  const { program } = agent;
  const assumed = joined.assumed === true && { assumed: true as const };
  const known = { session, shellId, agentType: kind, sessionId, home, cwd, model, startedAt, lastActivityAt };
  return { ...known, ...startedBy, ...(program !== undefined && { program }), ...assumed };
}

/** The record of an ended agent. */
export function endedRecord(agent: LiveAgent, now: number): Agent {
  const since = new Date(now).toISOString();
  const isInPane = agent.found.process.pane !== undefined;
  const detail = isInPane ? "it has ended, or the shell no longer shows its tmux session" : "the process has ended";
  return {
    ...agent.record(now),
    state: "ended",
    status: "ended",
    since,
    reason: { source: "process", detail, at: since },
  };
}

/** The accuracy of a process's start time: clock ticks on Linux, seconds elsewhere. */
const EXACT_MS = 50;
const VAGUE_MS = 1000;
