import type { LimitsReport } from "../../core/protocol/agent-hooks.ts";
import type { Agent, AgentEvent, AgentEvidence } from "../../core/protocol/agent-records.ts";
import type { SessionId } from "../../core/protocol/ids.ts";
import { eachInTurns } from "../system/in-turns.ts";
import type { ProcessSource } from "../system/processes/process-source.ts";
import type { Accounts } from "./accounts.ts";
import { type AgentAdapter, NO_SESSION } from "./adapters/adapter.ts";
import { readContextSize, readStartModel } from "./agent-model.ts";
import { AgentPublisher } from "./agent-publisher.ts";
import type { KnownRun } from "./agent-reports.ts";
import type { AgentSignal } from "./agent-status.ts";
import type { AgentsInShell } from "./agents-in-shell.ts";
import { type AgentsOptions, type ShellRef, shellKey, type WatchedShell } from "./agents-options.ts";
import { ofThisRelay } from "./child-agents.ts";
import type { Clock } from "./clock.ts";
import { DetachedTurns } from "./detached-turns.ts";
import { EndedAgents, runOf } from "./ended-agents.ts";
import { findAgents, Recogniser } from "./find-agents.ts";
import type { LeftBehind } from "./left-behind.ts";
import type { LiveAgent } from "./live-agent.ts";
import type { Quotas } from "./quotas.ts";
import { type FoundInShell, type JoinedAgent, type LimitedAgent, RunningAgents } from "./running-agents.ts";
import { ScreenStatus } from "./screen-status.ts";
import { followEvents, type SessionAccount } from "./session-account.ts";
import { SessionEvidence } from "./session-evidence.ts";
import { SessionOwners } from "./session-owners.ts";
import { ShellPace } from "./shell-pace.ts";
import { SignsOfWork } from "./signs-of-work.ts";
import { TerminalReports } from "./terminal-reports.ts";
import type { ToldEvent } from "./told-usage.ts";
import { UnseenRuns } from "./unseen-runs.ts";
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

const JOIN_WITHIN_MS = 15_000;

/** The running agents: found among the shells' processes, joined to their sessions, and published. */
export class LiveAgents {
  readonly #options: LiveAgentsOptions;
  readonly #recogniser: Recogniser;
  readonly #running: RunningAgents;
  readonly #publisher: AgentPublisher;
  readonly #screens: ScreenStatus<LiveAgent>;
  readonly #signs: SignsOfWork;
  readonly #evidence: SessionEvidence;
  readonly #owners: SessionOwners;
  readonly #ended: EndedAgents;
  readonly #detached: DetachedTurns;
  readonly #pace = new ShellPace();
  readonly #reports: TerminalReports;
  readonly #unseen: UnseenRuns;
  #polling: Promise<void> | undefined;
  #disposed = false;

  constructor(options: LiveAgentsOptions) {
    this.#options = options;
    this.#recogniser = new Recogniser(options.adapters);
    this.#running = new RunningAgents({ ...options, onNew: (agent) => this.#reports.replay(agent) });
    this.#evidence = new SessionEvidence({
      ...options,
      follow: (adapter, home, sessionId) => followEvents(options.accounts.source(adapter, home, sessionId)),
    });
    this.#screens = new ScreenStatus({
      ...options,
      agents: () => this.#running.all(),
      changed: (agent) => this.#publisher.publish(agent),
    });
    this.#signs = new SignsOfWork(options);
    this.#unseen = new UnseenRuns({ ...options, running: this.#running });
    this.#owners = new SessionOwners(options.store, this.#evidence);
    this.#detached = new DetachedTurns({
      ...options,
      onChange: (session, agent) => {
        if (!this.#disposed) options.onChange({ type: "agent.detached", session, agent });
      },
    });
    this.#ended = new EndedAgents({ ...options, detached: this.#detached });
    this.#publisher = new AgentPublisher({
      ...options,
      running: this.#running,
      runs: (session) => this.runs(session),
      ended: this.#ended,
    });
    const apps = new Set(options.adapters.flatMap((adapter) => adapter.apps));
    this.#reports = new TerminalReports({
      clock: options.clock,
      agents: () => this.#running.all(),
      publish: (agent) => this.#publisher.publish(agent),
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
    return this.#running
      .all()
      .some(({ joined, found }) => joined === undefined && now - found.launchedAt < JOIN_WITHIN_MS);
  }

  /** Milliseconds until the next check for new processes; undefined while all shells are idle. */
  nextCheckMs(): number | undefined {
    return this.#pace.next(this.#options.clock.now());
  }

  list(session: SessionId): Agent[] {
    const now = this.#options.clock.now();
    const own = this.#running.in(session).filter(({ startedBy }) => startedBy === undefined);
    return [...own.map((agent) => agent.record(now)), ...this.#reports.list(session)];
  }

  /** The agents of a kind whose session is known, and the sessions whose turns go on without their terminals. */
  joined(kind: string): readonly JoinedAgent[] {
    const detached = this.#detached.runs().filter(({ run }) => run.agentType === kind);
    return [
      ...this.#running.joined(kind),
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
    const agents = session === undefined ? this.#running.all() : this.#running.in(session);
    const own = agents.flatMap((agent) => {
      if (!agent.counts) return [];
      const run = runOf(agent);
      const { state = "idle" } = agent.record(this.#options.clock.now());
      return run === undefined ? [] : [{ run, status: state }];
    });
    return [...this.#detached.runs(session), ...own];
  }

  permissionRequests(key: AgentSessionKey): readonly AgentEvent[] {
    return this.#publisher.permissionRequests(key);
  }

  /** What says which state the agents in a shell have. */
  explain(shell: ShellRef): AgentEvidence[] {
    const now = this.#options.clock.now();
    const here = this.#running.at(shell).filter(({ startedBy }) => startedBy === undefined);
    return here.map((agent) => agent.explain(now));
  }

  /** The last title of a shell's terminal, which may be of a program that has ended; empty without one. */
  titleOf(shell: ShellRef): string {
    return this.#reports.titleOf(shell);
  }

  /** Processes a signal of a shell's terminal. Returns whether an agent is known there. */
  receiveSignal(shell: ShellRef, signal: AgentSignal): boolean {
    const now = this.#options.clock.now();
    if (signal.kind === "command-start") {
      this.#pace.commandStarted(shellKey(shell), now);
      this.#unseen.commandStarted(shell, now);
    } else if (signal.kind === "prompt") this.#unseen.commandEnded(shell, now);
    return this.#reports.receive(shell, signal);
  }

  /** Takes what an agent in a shell reports through a hook. An agent that is not known there is not believed. */
  reportLimits(shell: ShellRef, key: AgentSessionKey, report: LimitsReport): void {
    const now = this.#options.clock.now();
    const { agentType } = key;
    this.#prove(shell, key);
    for (const { agent, joined } of this.#running.workingOn(shell, key)) {
      const hasWindows = report.windows === undefined ? agent.limits?.hasWindows : report.windows.length > 0;
      agent.limits = { contextSize: report.contextSize, hasWindows };
      this.#options.quotas.report({ agentType, home: joined.home }, report.windows ?? [], now);
    }
    // Other agents of the account have the same windows.
    for (const agent of this.#running.all()) this.#publisher.publish(agent);
  }

  /** Takes the report of an agent in a shell that its turn has ended. */
  reportIdle(shell: ShellRef, key: AgentSessionKey): void {
    const at = this.#options.clock.now();
    this.#prove(shell, key);
    for (const { agent } of this.#running.workingOn(shell, key)) {
      agent.receiveStatus({ source: "hook", status: "idle", detail: "the turn has ended", at });
      this.#publisher.publish(agent);
    }
  }

  /** Takes what an agent in a shell tells by OTLP: evidence beside the others, which comes too late to decide. */
  reportTelemetry(shell: ShellRef, { state, at, ...key }: ToldEvent): void {
    this.#prove(shell, key, at);
    if (state === undefined) return;
    for (const { agent } of this.#running.workingOn(shell, key))
      agent.receiveStatus({ source: "telemetry", ...state, at });
  }

  /**
   * A hook or exporter in a shell has named a session: where one agent of the kind runs there, the session is that agent's,
   * unless another agent works on it, even if that is only assumed. Any program in a shell can name any session.
   */
  #prove(shell: ShellRef, key: AgentSessionKey, exportedAt?: number): void {
    // What a tool of an agent runs reports with the token of the same shell.
    const [agent, ...others] = this.#running.allAt(shell).filter(({ kind }) => kind === key.agentType);
    if (agent?.counts !== true || others.length > 0) return;
    if (exportedAt !== undefined && agent.found.adapter.exportsForOthers === true) return;
    if (agent.joined?.sessionId !== key.sessionId && this.#running.runsOn(key)) return;
    // The next poll joins by it.
    this.#evidence.prove(agent, key.sessionId, exportedAt);
  }

  /** Reads what the agents in a shell have written. Never rejects. */
  async readLatest(shell: ShellRef): Promise<void> {
    await Promise.all(this.#running.at(shell).map(({ account }) => account && this.#options.accounts.update(account)));
  }

  /** Returns the agents of a session whose accounts have quota windows. */
  limited(session: SessionId): readonly LimitedAgent[] {
    return this.#running.limited(session, this.#options.clock.now());
  }

  accountUpdated(account: SessionAccount): void {
    this.#detached.updated(account);
    for (const agent of this.#running.all()) {
      if (agent.joined === undefined) continue;
      agent.account ??= this.#options.accounts.get(agent.found.adapter, agent.joined);
      if (agent.account !== account) continue;
      // Where a failed call is tried again, the screen still shows the turn.
      if (agent.byTranscript?.status === "error") void this.#screens.look(agent);
      else this.#publisher.publish(agent);
      this.#ended.keep(agent);
      if (agent.startedBy !== undefined) this.#publisher.publishParent(agent);
    }
  }

  async #pollProcesses(): Promise<void> {
    const { source, accounts, clock, presence } = this.#options;
    const shells = this.#options.shells();
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
        const { id: run, adapter, process, recognition, launchedAt, startedBy } = one;
        found.push({ shell, one });
        this.#options.leftBehind.saw(one, processes);
        if (startedBy === undefined)
          presence.note(shell, { run, agentType: adapter.kind, folder: process.cwd() ?? "", recognition }, launchedAt);
      }
    }
    this.#unseen.polled(now, new Set(found.map(({ shell }) => shellKey(shell))));
    const left = this.#running.track([...found, ...this.#running.outliving(below, shells)]);
    try {
      await this.#follow(shells, now);
    } finally {
      // Last, because sessions of running agents cannot belong to an ended one. A session begins after its process, so
      // the youngest of several ended agents has the fewest candidates.
      const youngestFirst = left.sort((one, other) => other.found.launchedAt - one.found.launchedAt);
      for (const agent of youngestFirst) this.#end(agent, now).catch(this.#untold);
    }
    const running = this.#running.all();
    for (const { kind, joined } of running) {
      if (joined !== undefined) this.#detached.attached({ agentType: kind, sessionId: joined.sessionId });
    }
    await this.#detached.look();
    const open = [...this.#detached.accounts(), ...this.#ended.leftAccounts(this.#running.runsOn)];
    accounts.keepOnly(new Set([...running.flatMap(({ account }) => account ?? []), ...open]));
    const pidOf = new Map(shells.map((shell) => [shellKey(shell), shell.pid]));
    const isNews = await this.#unseen.find((shell) => {
      const pid = pidOf.get(shellKey(shell));
      return below.get(pid ?? 0)?.find((process) => process.pid === pid);
    });
    this.#ended.catchUp(now, shells, this.#running, isNews).catch(this.#untold);
    this.#evidence.keepOnly(new Set(running.map(({ found }) => found.id)));
    void this.#lookAtScreens();
  }

  /** Joins the running agents to their sessions, and publishes them. */
  async #follow(shells: readonly WatchedShell[], now: number): Promise<void> {
    this.#recogniser.settle();
    this.#options.presence.keepOnly(shells);
    this.#reports.keepOnly(shells, now);
    this.#pace.keepOnly(new Set(shells.map(shellKey)));
    const byAge = this.#running.all().sort((one, other) => one.found.launchedAt - other.found.launchedAt);
    for (const agent of byAge) agent.observe();
    // Each looks through a folder of transcripts, of which there may be thousands.
    await eachInTurns(byAge, (agent) => this.#join(agent));
    for (const agent of byAge) this.#publisher.listChildren(agent);
    for (const agent of byAge) this.#publisher.publish(agent);
  }

  /** Looks for states, and for proof of what was joined by folder and time, and joins anew what it proves. Never rejects. */
  async #lookAtScreens(): Promise<void> {
    try {
      await this.#signs.look(this.#running.all());
      await this.#screens.look();
      if ((await this.#evidence.look()) && !this.#disposed) await this.poll();
    } catch (error) {
      this.#options.log("what agents work on could not be looked for", { error: String(error) });
    }
  }

  #join(agent: LiveAgent): void {
    const { process, adapter } = agent.found;
    const cwd = process.cwd() ?? agent.joined?.cwd;
    if (cwd === undefined) return;
    const changed = () => {
      if (agent.published !== undefined) this.#publisher.publish(agent);
    };
    readStartModel(agent, cwd, changed);
    const now = this.#options.clock.now();
    const joined = adapter.join(this.#owners.joinRequest(agent, this.#running.all(), cwd, now));
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
      this.#ended.replaced(agent, now, this.#running.runsOn);
    readContextSize(agent, cwd, changed);
  }

  #disown(agent: LiveAgent): void {
    this.#owners.release(agent);
    this.#ended.disown(agent);
  }

  async #end(agent: LiveAgent, goneAt: number): Promise<void> {
    agent.ended = true;
    this.#options.leftBehind.ended(agent, goneAt);
    agent.joined ??= this.#ended.sessionOf(agent, goneAt, {
      taken: (sessionId) => this.#owners.isOthers(agent, sessionId),
      runsOn: (sessionId) => this.#running.runsOn({ agentType: agent.kind, sessionId }),
    });
    this.#owners.claim(agent);
    // Where the shell is gone too, the agent was cut off: it did not end by itself.
    const isShellThere = this.#options.shells().some((shell) => shellKey(shell) === shellKey(refOf(agent)));
    const endedAt = isShellThere ? goneAt : undefined;
    await this.#ended.finish(agent, endedAt);
    this.#publisher.publishParent(agent);
    this.#publisher.publishEnd(agent);
    if (agent.published === undefined || this.#disposed) return;
    const run = runOf(agent);
    if (run !== undefined)
      this.#detached.take(
        { ...run, ...(endedAt !== undefined && { endedAt: new Date(endedAt).toISOString() }) },
        agent.found.adapter,
        agent.account,
      );
  }

  readonly #untold = (error: unknown): void =>
    this.#options.log("what ended agents have written could not be read", { error: String(error) });

  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#publisher[Symbol.dispose]();
    this.#screens[Symbol.dispose]();
  }
}

function refOf({ session, shellId }: Pick<AgentRun, "session" | "shellId">): ShellRef {
  return { sessionId: session, shellId };
}
