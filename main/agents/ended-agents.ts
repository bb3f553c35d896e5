import type { Agent } from "../../core/protocol/agent-records.ts";
import type { Accounts } from "./accounts.ts";
import type { AgentAdapter, EndedProcess, JoinedSession } from "./adapters/adapter.ts";
import { runKey } from "./agent-reports.ts";
import { type ShellRef, shellKey } from "./agents-options.ts";
import type { DetachedTurns } from "./detached-turns.ts";
import type { LiveAgent } from "./live-agent.ts";
import type { SessionAccount } from "./session-account.ts";
import type { AgentRun, AgentSessionKey, UsageStore } from "./usage-store.ts";

interface Options {
  readonly accounts: Accounts;
  readonly store: UsageStore;
  readonly adapters: readonly AgentAdapter[];
  readonly detached: Pick<DetachedTurns, "take" | "has">;
  readonly log: (message: string, fields?: object) => void;
}

/** A session that a running program has left while its turn went on. */
interface LeftSession {
  readonly agent: LiveAgent;
  readonly run: AgentRun;
  readonly account: SessionAccount;
}

/** Knows which agents still work on a session, and which may. */
interface RunningRuns {
  readonly runsOn: (run: AgentRun) => boolean;
  readonly mayRunOn: (run: AgentRun) => boolean;
}

/** A session that could not be read to its end is tried again after this time. */
const CATCH_UP_MS = 10_000;
/** How often a session that could not be read to its end is tried by one relay. */
const TRIES = 6;
/** A session without a transcript for so long has none. */
const GIVEN_UP_MS = 7 * 24 * 3600 * 1000;

/**
 * Reads the last records of ended agents, including those that ended before their session was known or their account
 * was opened, and those that ended while no relay ran. Reading a session again counts nothing twice.
 */
export class EndedAgents {
  readonly #options: Options;
  /** By session. */
  readonly #left = new Map<string, LeftSession>();
  /** By session, how often it was read in vain, or while its program may still have written. */
  readonly #tries = new Map<string, number>();
  /** Time of the last look for what was left unread, in ms. */
  #caughtUpAt: number | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Tells the session of an agent that ended before it was known. Where several may be the agent's, none is: a wrong sum
   * is worse than a missing one.
   * @param endedAt - when it was seen to be gone, in ms
   */
  sessionOf(
    agent: LiveAgent,
    endedAt: number,
    others: Pick<EndedProcess, "taken" | "runsOn">,
  ): JoinedSession | undefined {
    const { lastSeen, found } = agent;
    if (lastSeen === undefined) return undefined;
    const { process, launchedAt, adapter } = found;
    const inaccuracy = /^\d+$/.test(process.startKey) ? EXACT_MS : VAGUE_MS;
    const ended = { ...lastSeen, pid: process.pid, launchedAt, endedAt, inaccuracy, ...others };
    const [sessionId, ...more] = adapter.sessionsOf(ended);
    const { home, cwd } = lastSeen;
    return sessionId === undefined || more.length > 0 ? undefined : { sessionId, home, cwd };
  }

  /**
   * Reads all records of an agent whose process has ended. Never rejects.
   * @param endedAt - when it ended, in ms; undefined where its shell ended with it
   */
  async finish(agent: LiveAgent, endedAt: number | undefined): Promise<void> {
    if (agent.joined === undefined || !agent.counts) return;
    // At once, because the reading takes a while.
    this.keep(agent, endedAt);
    this.#tries.delete(runKey({ agentType: agent.kind, sessionId: agent.joined.sessionId }));
    const { account, kept } = await this.#options.accounts.readToEnd(agent.found.adapter, agent.joined);
    agent.account ??= account;
    this.keep(agent, endedAt);
    const { home, sessionId } = agent.joined;
    // A daemon that works on it may not have written yet that a turn has begun.
    if (kept && agent.found.adapter.worksOn?.(home, sessionId) !== true)
      this.#markRead({ agentType: agent.kind, sessionId });
  }

  /** Withdraws an agent's claim to its session. */
  disown(agent: LiveAgent): void {
    const run = runOf(agent);
    if (run !== undefined) this.#attempt(() => this.#options.store.removeRun(run));
    agent.joined = undefined;
    agent.account = undefined;
  }

  /** Reads the rest of a session that an agent has left for another, whose turn may go on in the program. */
  async leave(agent: LiveAgent, { home, sessionId }: JoinedSession, leftAt: number): Promise<void> {
    const run = runOf(agent);
    this.keep(agent, leftAt);
    const { account, kept } = await this.#options.accounts.readToEnd(agent.found.adapter, { home, sessionId });
    if (run !== undefined && account?.status?.status === "working" && !agent.ended)
      this.#left.set(runKey(run), { agent, run, account });
    else if (kept) this.#markRead({ agentType: agent.kind, sessionId });
  }

  /** Returns the accounts of left sessions whose turns go on; those whose turn has ended are read to their end. */
  leftAccounts(runsOn: (run: AgentRun) => boolean): readonly SessionAccount[] {
    for (const [key, { agent, run, account }] of this.#left) {
      if (account.status?.status === "working" && !agent.ended && !runsOn(run)) continue;
      this.#left.delete(key);
      // The next catch-up reads it.
      this.#tries.delete(key);
    }
    return [...this.#left.values()].map(({ account }) => account);
  }

  /**
   * Reads the sessions that an earlier relay, or this one, did not read to their end, once in 10 s or where one is new. To be
   * called when it is known which agents run: the end of what they work on comes later.
   * @param now - in ms
   */
  async catchUp(now: number, shells: readonly ShellRef[], running: RunningRuns, isNews = false): Promise<void> {
    if (this.#caughtUpAt === undefined) this.#leftUnseen(now, shells, running);
    else if (!isNews && now - this.#caughtUpAt < CATCH_UP_MS) return;
    this.#caughtUpAt = now;
    const { runsOn } = running;
    const { store, adapters, accounts, detached } = this.#options;
    for (const run of store.unread()) {
      const adapter = adapters.find(({ kind }) => kind === run.agentType);
      const key = runKey(run);
      const tries = this.#tries.get(key) ?? 0;
      if (adapter === undefined || runsOn(run) || detached.has(run) || this.#left.has(key) || tries >= TRIES) continue;
      this.#tries.set(key, tries + 1);
      const { account, kept } = await accounts.readToEnd(adapter, run);
      // An agent that was found meanwhile reads on by itself.
      if (runsOn(run)) continue;
      if (!kept) {
        const isOld = now - Date.parse(run.lastActivityAt) > GIVEN_UP_MS;
        if (account === undefined && isOld) this.#markRead(run);
        continue;
      }
      if (detached.take(run, adapter, account)) continue;
      const lastActivityAt = account?.lastAt ?? run.lastActivityAt;
      this.#attempt(() => store.recordRun({ ...run, model: account?.model || run.model, lastActivityAt }));
      const mayGoOn = tries + 1 < TRIES && adapter.worksOn?.(run.home, run.sessionId) === true;
      if (!mayGoOn) this.#markRead(run);
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
  #leftUnseen(at: number, shells: readonly ShellRef[], { mayRunOn }: RunningRuns): void {
    const there = new Set(shells.map(shellKey));
    const isThere = ({ session, shellId }: AgentRun) => there.has(shellKey({ sessionId: session, shellId }));
    for (const run of this.#options.store.allRuns())
      if (isOpen(run) && isThere(run) && !mayRunOn(run)) this.#close(run, at);
  }

  #close(run: AgentRun, at: number): void {
    this.#attempt(() => this.#options.store.recordRun({ ...run, endedAt: new Date(at).toISOString() }));
  }

  #markRead(key: AgentSessionKey): void {
    this.#tries.delete(runKey(key));
    this.#attempt(() => this.#options.store.markRead(key));
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
