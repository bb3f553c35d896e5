import { resolve } from "node:path";
import type { LimitsReport } from "../../core/protocol/agent-hooks.ts";
import type { Agent, AgentEvent, AgentEvidence } from "../../core/protocol/agent-records.ts";
import type { SessionId, ShellId } from "../../core/protocol/ids.ts";
import type { ProcessSource } from "../system/processes/process-source.ts";
import type { Accounts } from "./accounts.ts";
import { type AgentAdapter, type JoinedSession, NO_SESSION } from "./adapters/adapter.ts";
import { readContextSize, readStartModel } from "./agent-model.ts";
import { type KnownRun, knownRuns } from "./agent-reports.ts";
import type { AgentSignal } from "./agent-status.ts";
import type { AgentsInShell } from "./agents-in-shell.ts";
import { type AgentsOptions, type ShellRef, shellKey, type WatchedShell } from "./agents-options.ts";
import { childAgents, ofThisRelay } from "./child-agents.ts";
import type { Clock } from "./clock.ts";
import { DetachedTurns } from "./detached-turns.ts";
import { EndedAgents, endedRecord, runOf } from "./ended-agents.ts";
import { type FoundAgent, findAgents, Recogniser } from "./find-agents.ts";
import type { LeftBehind } from "./left-behind.ts";
import { LiveAgent } from "./live-agent.ts";
import { PermissionRequests } from "./permission-requests.ts";
import type { Quotas } from "./quotas.ts";
import { ScreenStatus } from "./screen-status.ts";
import { followEvents, type SessionAccount } from "./session-account.ts";
import { SessionEvidence } from "./session-evidence.ts";
import { SessionOwners } from "./session-owners.ts";
import { ShellPace } from "./shell-pace.ts";
import { SignsOfWork } from "./signs-of-work.ts";
import { TerminalReports } from "./terminal-reports.ts";
import type { ToldEvent } from "./told-usage.ts";
import type { AgentRun, AgentSessionKey } from "./usage-store.ts";

interface LiveAgentsOptions extends AgentsOptions {
  readonly adapters: readonly AgentAdapter[];
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly source: ProcessSource;
  readonly quotas: Quotas;
  readonly leftBehind: Pick<LeftBehind, "saw" | "ended">;
  /** Receives every agent at every poll, and the list of shells. */
  readonly presence: Pick<AgentsInShell, "note" | "keepOnly">;
}

/** An agent whose account has quota windows. */
export interface LimitedAgent {
  readonly shellId: ShellId;
  readonly agentType: string;
  readonly sessionId: string;
  /** See `AccountWindow.account`. */
  readonly account: string;
}

/** An agent that was found by a poll, and a shell in which it is. */
interface FoundInShell {
  readonly shell: WatchedShell;
  readonly one: FoundAgent;
}

const JOIN_WITHIN_MS = 15_000;

/** The running agents: found among the shells' processes, joined to their sessions, and published. */
export class LiveAgents {
  readonly #options: LiveAgentsOptions;
  readonly #recogniser: Recogniser;
  readonly #agents = new Map<string, LiveAgent>();
  readonly #requests = new PermissionRequests();
  readonly #screens: ScreenStatus<LiveAgent>;
  readonly #signs: SignsOfWork;
  readonly #evidence: SessionEvidence;
  readonly #owners: SessionOwners;
  readonly #ended: EndedAgents;
  readonly #detached: DetachedTurns;
  readonly #pace = new ShellPace();
  readonly #reports: TerminalReports;
  #polling: Promise<void> | undefined;
  #caughtUp = false;
  #disposed = false;

  constructor(options: LiveAgentsOptions) {
    this.#options = options;
    this.#recogniser = new Recogniser(options.adapters);
    this.#evidence = new SessionEvidence({
      screen: options.screen,
      follow: (adapter, home, sessionId) => followEvents(options.accounts.source(adapter, home, sessionId)),
    });
    this.#screens = new ScreenStatus({
      ...options,
      agents: () => [...this.#agents.values()],
      changed: (agent) => this.#publish(agent),
    });
    this.#signs = new SignsOfWork(options);
    this.#owners = new SessionOwners(options.store, this.#evidence);
    this.#detached = new DetachedTurns({
      ...options,
      onChange: (session, agent) => {
        if (!this.#disposed) options.onChange({ type: "agent.detached", session, agent });
      },
    });
    this.#ended = new EndedAgents({ ...options, detached: this.#detached });
    const apps = new Set(options.adapters.flatMap((adapter) => adapter.apps));
    this.#reports = new TerminalReports({
      clock: options.clock,
      agents: () => this.#agents.values(),
      publish: (agent) => this.#publish(agent),
      isKnown: (app) => apps.has(app),
      onChange: options.onChange,
    });
  }

  /** Polls the processes; overlapping polls are one. */
  poll(): Promise<void> {
    this.#polling ??= this.#pollProcesses().finally(() => {
      this.#polling = undefined;
    });
    return this.#polling;
  }

  /** Whether there is a young agent whose session is not known yet. */
  hasUnjoinedAgents(): boolean {
    const now = this.#options.clock.now();
    return [...this.#agents.values()].some(
      ({ joined, found }) => joined === undefined && now - found.launchedAt < JOIN_WITHIN_MS,
    );
  }

  /** Milliseconds until the next check for new processes; undefined while all shells are idle. */
  nextCheckMs(): number | undefined {
    return this.#pace.next(this.#options.clock.now());
  }

  list(session: SessionId): Agent[] {
    const now = this.#options.clock.now();
    const own = this.#in(session).filter(({ startedBy }) => startedBy === undefined);
    return [...own.map((agent) => agent.record(now)), ...this.#reports.list(session)];
  }

  /** The agents of a kind whose session is known, and the sessions whose turns go on without their terminals. */
  joined(kind: string): readonly JoinedAgent[] {
    const detached = this.#detached.runs().filter(({ run }) => run.agentType === kind);
    const own = [...this.#agents.values()].flatMap(({ kind: own, joined, session, shellId, ended, startedBy }) =>
      own !== kind || joined === undefined || ended || startedBy !== undefined ? [] : [{ ...joined, session, shellId }],
    );
    return [
      ...own,
      ...detached.map(({ run: { sessionId, home, cwd, session, shellId } }) => ({
        sessionId,
        home,
        cwd,
        session,
        shellId,
      })),
    ];
  }

  /** Whether the turn of an agent session goes on without its terminal. */
  isDetached(key: AgentSessionKey): boolean {
    return this.#detached.has(key);
  }

  /** The agent sessions that run in a session, or without one in all sessions. */
  runs(session?: SessionId): readonly KnownRun[] {
    const agents = session === undefined ? [...this.#agents.values()] : this.#in(session);
    const own = agents.flatMap((agent) => {
      if (!agent.counts) return [];
      const run = runOf(agent);
      const { state = "idle" } = agent.record(this.#options.clock.now());
      return run === undefined ? [] : [{ run, status: state }];
    });
    return [...this.#detached.runs(session), ...own];
  }

  permissionRequests(key: AgentSessionKey): readonly AgentEvent[] {
    return this.#requests.of(key);
  }

  /** What says which state the agents in a shell have. */
  explain({ sessionId, shellId }: ShellRef): AgentEvidence[] {
    const now = this.#options.clock.now();
    const here = this.#in(sessionId).filter((agent) => agent.shellId === shellId && agent.startedBy === undefined);
    return here.map((agent) => agent.explain(now));
  }

  /** The last title of a shell's terminal, which may be of a program that has ended; empty without one. */
  titleOf(shell: ShellRef): string {
    return this.#reports.titleOf(shell);
  }

  /** Processes a signal of a shell's terminal. Returns whether an agent is known there. */
  receiveSignal(shell: ShellRef, signal: AgentSignal): boolean {
    if (signal.kind === "command-start") this.#pace.commandStarted(shellKey(shell), this.#options.clock.now());
    return this.#reports.receive(shell, signal);
  }

  /** Takes what an agent in a shell reports through a hook. An agent that is not known there is not believed. */
  reportLimits(shell: ShellRef, key: AgentSessionKey, report: LimitsReport): void {
    const now = this.#options.clock.now();
    const { agentType } = key;
    this.#prove(shell, key);
    for (const { agent, home } of this.#reporters(shell, key)) {
      const hasWindows = report.windows === undefined ? agent.limits?.hasWindows : report.windows.length > 0;
      agent.limits = { contextSize: report.contextSize, hasWindows };
      this.#options.quotas.report({ agentType, home }, report.windows ?? [], now);
    }
    // Other agents of the account have the same windows.
    for (const agent of this.#agents.values()) this.#publish(agent);
  }

  /** Takes the report of an agent in a shell that its turn has ended. */
  reportIdle(shell: ShellRef, key: AgentSessionKey): void {
    const at = this.#options.clock.now();
    this.#prove(shell, key);
    for (const { agent } of this.#reporters(shell, key)) {
      agent.receiveStatus({ source: "hook", status: "idle", detail: "the turn has ended", at });
      this.#publish(agent);
    }
  }

  /** Takes what an agent in a shell tells by OTLP: evidence beside the others, which comes too late to decide. */
  reportTelemetry(shell: ShellRef, { state, at, ...key }: ToldEvent): void {
    this.#prove(shell, key);
    if (state === undefined) return;
    for (const { agent } of this.#reporters(shell, key)) agent.receiveStatus({ source: "telemetry", ...state, at });
  }

  /** A hook or exporter in a shell has named a session: where one agent of the kind runs there, the session is that agent's. */
  #prove({ sessionId, shellId }: ShellRef, key: AgentSessionKey): void {
    const here = this.#in(sessionId).filter(
      (agent) => agent.shellId === shellId && agent.kind === key.agentType && agent.startedBy === undefined,
    );
    const [agent, ...others] = here;
    if (agent === undefined || others.length > 0) return;
    // The next poll joins by it.
    this.#evidence.prove(agent, key.sessionId);
  }

  /** The agents in a shell that work on an agent session, with their data folders. */
  #reporters({ sessionId, shellId }: ShellRef, key: AgentSessionKey) {
    return this.#in(sessionId).flatMap((agent) => {
      const { kind, joined } = agent;
      const reports = agent.shellId === shellId && kind === key.agentType && joined?.sessionId === key.sessionId;
      return reports && joined !== undefined ? [{ agent, home: joined.home }] : [];
    });
  }

  /** Reads what the agents in a shell have written. Never rejects. */
  async readLatest(shell: ShellRef): Promise<void> {
    const here = this.#in(shell.sessionId).filter(({ shellId }) => shellId === shell.shellId);
    await Promise.all(here.map(({ account }) => account && this.#options.accounts.update(account)));
  }

  readonly #runsOn = ({ agentType, sessionId }: AgentSessionKey): boolean =>
    [...this.#agents.values()].some(({ kind, joined }) => kind === agentType && joined?.sessionId === sessionId);

  #hasUnjoined({ session, shellId, agentType }: AgentRun): boolean {
    return this.#in(session).some(
      (agent) => agent.shellId === shellId && agent.kind === agentType && agent.joined === undefined,
    );
  }

  /** Returns the agents of a session whose accounts have quota windows. */
  limited(session: SessionId): readonly LimitedAgent[] {
    const now = this.#options.clock.now();
    return this.#in(session).flatMap((agent) => {
      const { shellId, kind: agentType, joined } = agent;
      if (joined === undefined || agent.windows(now).length === 0) return [];
      return [{ shellId, agentType, sessionId: joined.sessionId, account: resolve(joined.home) }];
    });
  }

  accountUpdated(account: SessionAccount): void {
    this.#detached.updated(account);
    for (const agent of this.#agents.values()) {
      if (agent.joined === undefined) continue;
      agent.account ??= this.#options.accounts.get(agent.found.adapter, agent.joined);
      if (agent.account !== account) continue;
      // Where a failed call is tried again, the screen still shows the turn.
      if (agent.byTranscript?.status === "error") void this.#screens.look(agent);
      else this.#publish(agent);
      this.#ended.keep(agent);
      if (agent.startedBy !== undefined) this.#publishParent(agent);
    }
  }

  async #pollProcesses(): Promise<void> {
    const { shells: watched, source, accounts, clock, presence } = this.#options;
    const shells = watched();
    const below = await source.below(shells.map(({ pid }) => pid));
    const now = clock.now();
    const found: FoundInShell[] = [];
    for (const shell of shells) {
      const processes = below.get(shell.pid) ?? [];
      const isOwn = ofThisRelay(processes);
      const agents = findAgents(processes, this.#recogniser.recognise).filter(({ process }) => isOwn(process));
      // A shell that runs nothing is at rest; a program that was started in its place is not.
      const programs = processes.filter(({ pid }) => pid !== shell.pid || agents.length > 0);
      this.#pace.saw(shellKey(shell), programs.map(({ pid, startKey }) => `${pid}/${startKey}`).join(), now);
      for (const one of agents) {
        const { adapter, process, launchedAt, startedBy } = one;
        found.push({ shell, one });
        this.#options.leftBehind.saw(one, processes);
        if (startedBy === undefined)
          presence.note(shell, { run: one.id, agentType: adapter.kind, folder: process.cwd() ?? "" }, launchedAt);
      }
    }
    const left = this.#trackAll(found);
    this.#recogniser.settle();
    presence.keepOnly(shells);
    this.#reports.keepOnly(shells, now);
    const names = new Set(shells.map(shellKey));
    this.#pace.keepOnly(names);
    const present = new Set(found.map(({ one }) => one.id));
    const gone = [...this.#agents.values()].filter((agent) => !present.has(agent.found.id));
    for (const agent of gone) this.#agents.delete(agent.found.id);
    const byAge = [...this.#agents.values()].sort((one, other) => one.found.launchedAt - other.found.launchedAt);
    for (const agent of byAge) agent.observe();
    for (const agent of byAge) this.#join(agent);
    for (const agent of byAge) this.#listChildren(agent);
    for (const agent of byAge) this.#publish(agent);
    // Last, because sessions of running agents cannot belong to an ended one. A session begins after its process, so
    // the youngest of several ended agents has the fewest candidates.
    const youngestFirst = [...gone, ...left].sort((one, other) => other.found.launchedAt - one.found.launchedAt);
    for (const agent of youngestFirst) void this.#end(agent, now);
    for (const { kind, joined } of byAge) {
      if (joined !== undefined) this.#detached.attached({ agentType: kind, sessionId: joined.sessionId });
    }
    await this.#detached.look();
    accounts.keepOnly(new Set([...byAge.flatMap(({ account }) => account ?? []), ...this.#detached.accounts()]));
    this.#catchUp();
    this.#evidence.keepOnly(present);
    void this.#lookAtScreens();
  }

  /** Looks for states, and for proof of what was joined by folder and time, and joins anew what it proves. Never rejects. */
  async #lookAtScreens(): Promise<void> {
    try {
      await this.#signs.look([...this.#agents.values()]);
      await this.#screens.look();
      if ((await this.#evidence.look()) && !this.#disposed) await this.poll();
    } catch (error) {
      this.#options.log("what agents work on could not be looked for", { error: String(error) });
    }
  }

  /** Runs once, when it is known which agents are still running. */
  #catchUp(): void {
    if (this.#caughtUp) return;
    this.#caughtUp = true;
    const there = new Set(this.#options.shells().map(shellKey));
    // An agent that is not joined yet may turn out to work on the session.
    const mayRunOn = (run: AgentRun) => this.#runsOn(run) || this.#hasUnjoined(run);
    this.#ended.leftUnseen(this.#options.clock.now(), (run) => there.has(shellKey(refOf(run))) && !mayRunOn(run));
    this.#ended.catchUp(this.#runsOn).catch((error: unknown) => {
      this.#options.log("agents that ended without a relay could not be read", { error: String(error) });
    });
  }

  /**
   * Adds or refreshes the agents that were found. Several shells may show one tmux session: its agents stay where they are
   * while that shell shows them, and are otherwise of the first that does. Returns those that were in another shell.
   */
  #trackAll(found: readonly FoundInShell[]): LiveAgent[] {
    const isWhereItWas = ({ shell, one }: FoundInShell) => {
      const known = this.#agents.get(one.id);
      return known?.session === shell.sessionId && known.shellId === shell.shellId;
    };
    const settled = found.filter(isWhereItWas);
    const kept = new Set(settled.map(({ one }) => one.id));
    for (const { shell, one } of settled) this.#track(shell, one);
    const left: LiveAgent[] = [];
    for (const { shell, one } of found) {
      if (kept.has(one.id)) continue;
      kept.add(one.id);
      const before = this.#agents.get(one.id);
      if (before !== undefined) left.push(before);
      this.#agents.delete(one.id);
      this.#track(shell, one);
    }
    return left;
  }

  /** Adds or refreshes an agent. */
  #track({ sessionId, shellId }: WatchedShell, found: FoundAgent): void {
    const known = this.#agents.get(found.id);
    if (known !== undefined) {
      // The start time is computed from the uptime and varies by some milliseconds.
      known.found = { ...found, launchedAt: known.found.launchedAt };
      return;
    }
    const { quotas, clock } = this.#options;
    const startedBy = found.startedBy === undefined ? undefined : this.#agents.get(found.startedBy);
    const agent = new LiveAgent({ session: sessionId, shellId }, found, { quotas, now: clock.now(), startedBy });
    this.#agents.set(found.id, agent);
    if (startedBy === undefined) this.#reports.replay(agent);
  }

  #join(agent: LiveAgent): void {
    const { process, adapter } = agent.found;
    const cwd = process.cwd() ?? agent.joined?.cwd;
    if (cwd === undefined) return;
    const changed = () => {
      if (agent.published !== undefined) this.#publish(agent);
    };
    readStartModel(agent, cwd, changed);
    const now = this.#options.clock.now();
    const joined = adapter.join(this.#owners.joinRequest(agent, this.#agents.values(), cwd, now));
    if (joined === undefined) return;
    const before = agent.joined;
    if (joined === NO_SESSION) this.#disown(agent);
    else if (before !== undefined && joined.sessionId !== before.sessionId) {
      if (joined.insteadOf === before.sessionId) this.#disown(agent);
      else void this.#ended.leave(agent, before, now); // after `/clear`, `/new` or `/resume`
      agent.account = undefined;
    }
    if (joined === NO_SESSION) return;
    agent.joined = joined;
    this.#owners.claim(agent);
    agent.account ??= this.#options.accounts.get(adapter, joined);
    if (before === undefined && joined.assumed !== true && agent.startedBy === undefined)
      this.#ended.replaced(agent, now, this.#runsOn);
    readContextSize(agent, cwd, changed);
  }

  #disown(agent: LiveAgent): void {
    this.#owners.release(agent);
    this.#ended.disown(agent);
  }

  async #end(agent: LiveAgent, goneAt: number): Promise<void> {
    agent.ended = true;
    this.#options.leftBehind.ended(agent, goneAt);
    agent.joined ??= this.#ended.sessionOf(agent, goneAt, (sessionId) => this.#owners.isOthers(agent, sessionId));
    this.#owners.claim(agent);
    // Where the shell is gone too, the agent was cut off: it did not end by itself.
    const isShellThere = this.#options.shells().some((shell) => shellKey(shell) === shellKey(refOf(agent)));
    const endedAt = isShellThere ? goneAt : undefined;
    await this.#ended.finish(agent, endedAt);
    if (agent.startedBy !== undefined && !this.#disposed) this.#publishParent(agent);
    if (agent.published === undefined || this.#disposed) return;
    const { onChange, clock } = this.#options;
    onChange({ type: "agent.ended", session: agent.session, agent: endedRecord(agent, clock.now()) });
    const run = runOf(agent);
    if (run !== undefined)
      this.#detached.take(
        { ...run, ...(endedAt !== undefined && { endedAt: new Date(endedAt).toISOString() }) },
        agent.found.adapter,
        agent.account,
      );
  }

  #publishParent({ startedBy }: LiveAgent): void {
    let top = startedBy;
    while (top?.startedBy !== undefined) top = top.startedBy;
    if (top === undefined) return;
    top.childrenOf = undefined;
    this.#listChildren(top);
    this.#publish(top);
  }

  /** Lists what an agent in a shell has started: with the agent itself, and while one of them runs. */
  #listChildren(agent: LiveAgent): void {
    const { startedBy, joined, session, kind } = agent;
    if (startedBy !== undefined || joined === undefined) return;
    const key = { agentType: kind, sessionId: joined.sessionId };
    const runs = [...this.#agents.values()].some((one) => one.startedBy === agent);
    if (!runs && agent.childrenOf === joined.sessionId) return;
    agent.childrenOf = joined.sessionId;
    agent.children = childAgents(key, knownRuns(session, this, this.#options.store), this.#options.accounts);
  }

  /** Publishes an agent if it has changed. Returns whether it has. */
  #publish(agent: LiveAgent): boolean {
    if (this.#disposed || !agent.counts || agent.ended) return false;
    if (agent.startedBy !== undefined) {
      if (agent.published === undefined) this.#ended.keep(agent);
      return false;
    }
    const record = agent.record(this.#options.clock.now());
    const before = agent.published;
    if (before !== undefined && JSON.stringify(before) === JSON.stringify(record)) return false;
    agent.published = record;
    const waits = record.state === "waiting" && before?.state !== "waiting";
    if (waits) this.#requests.keep(record, this.#options.clock.now());
    const { session } = agent;
    if (before === undefined) this.#options.onChange({ type: "agent.started", session, agent: record });
    if (waits) this.#options.onChange({ type: "agent.waiting", session, agent: record });
    else if (before !== undefined) this.#options.onChange({ type: "agent.updated", session, agent: record });
    // A proof must outlive a kill, too: what is only assumed is not resumed by itself.
    const isSame =
      before?.sessionId === record.sessionId && before.model === record.model && before.assumed === record.assumed;
    if (!isSame) this.#ended.keep(agent);
    return true;
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#screens[Symbol.dispose]();
  }

  #in(session: SessionId): LiveAgent[] {
    return [...this.#agents.values()].filter((agent) => agent.session === session && agent.counts);
  }
}

/** A running agent, its shell and its own session. */
export interface JoinedAgent extends JoinedSession {
  readonly session: SessionId;
  readonly shellId: ShellId;
}

function refOf({ session, shellId }: Pick<AgentRun, "session" | "shellId">): ShellRef {
  return { sessionId: session, shellId };
}
