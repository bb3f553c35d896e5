import type { Agent, AgentEvent } from "../../core/protocol/agent-records.ts";
import type { SessionId } from "../../core/protocol/ids.ts";
import type { Accounts } from "./accounts.ts";
import type { AgentAdapter } from "./adapter.ts";
import type { KnownRun } from "./agent-reports.ts";
import { statusSignal, type TerminalSignal } from "./agent-status.ts";
import type { AgentsInShell } from "./agents-in-shell.ts";
import type { AgentsOptions, WatchedShell } from "./agents-options.ts";
import type { Clock } from "./clock.ts";
import { agentEvent } from "./event-parts.ts";
import { type FoundAgent, findAgents, Recogniser } from "./find-agents.ts";
import { LiveAgent } from "./live-agent.ts";
import type { ProcessSource } from "./process-source.ts";
import type { SessionAccount } from "./session-account.ts";
import type { AgentRun, AgentSessionKey } from "./usage-store.ts";

export interface LiveAgentsOptions extends AgentsOptions {
  readonly adapters: readonly AgentAdapter[];
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly source: ProcessSource;
  /** Hears of every agent at every look, and which shells there are. */
  readonly presence: Pick<AgentsInShell, "note" | "keepOnly">;
}

const EAGER_FOR_MS = 15_000;
/** At its start an agent's title and status flicker; they are told with the next look. */
const FLICKER_MS = 1500;
const MAX_REQUESTS = 200;

/** The agents that run now: found by looking at the shells' processes, joined to their sessions, told to the listener. */
export class LiveAgents {
  readonly #options: LiveAgentsOptions;
  readonly #recogniser: Recogniser;
  readonly #agents = new Map<string, LiveAgent>();
  /** What the terminals said last, for an agent that is found a moment later. */
  readonly #heard = new Map<string, Map<TerminalSignal["kind"], { signal: TerminalSignal; at: number }>>();
  readonly #requests = new Map<string, AgentEvent[]>();
  /** Gone, but their last records are still being read. */
  readonly #ending = new Set<LiveAgent>();
  #looking: Promise<void> | undefined;

  constructor(options: LiveAgentsOptions) {
    this.#options = options;
    this.#recogniser = new Recogniser(options.adapters);
  }

  /** Looks at the processes; looks that overlap are one. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Is there a young agent whose session is not known yet? */
  eager(): boolean {
    const now = this.#options.clock.now();
    return [...this.#agents.values()].some(
      ({ joined, found }) => joined === undefined && now - found.launchedAt < EAGER_FOR_MS,
    );
  }

  list(session: SessionId): Agent[] {
    return this.#in(session).map((agent) => agent.record());
  }

  runs(session: SessionId): readonly KnownRun[] {
    return this.#in(session).flatMap((agent) => {
      const run = runOf(agent);
      return run === undefined ? [] : [{ run, status: agent.record().state ?? "idle" }];
    });
  }

  permissionRequests({ agentType, sessionId }: AgentSessionKey): readonly AgentEvent[] {
    return this.#requests.get(`${agentType}/${sessionId}`) ?? [];
  }

  /** Takes what a shell's terminal has said; answers whether an agent is known there. */
  hear(shell: ShellName, signal: TerminalSignal): boolean {
    let known = false;
    const at = this.#options.clock.now();
    const heard = this.#heard.get(nameOf(shell)) ?? new Map();
    this.#heard.set(nameOf(shell), heard.set(signal.kind, { signal, at }));
    for (const agent of this.#agents.values()) {
      if (agent.shellId !== shell.shellId || agent.session !== shell.sessionId || agent.found.process.stopped) continue;
      known = true;
      tell(agent, signal, at);
      if (at - agent.found.launchedAt > FLICKER_MS) this.#announce(agent);
    }
    return known;
  }

  accountUpdated(account: SessionAccount): void {
    for (const agent of this.#agents.values()) {
      if (agent.joined === undefined) continue;
      agent.account ??= this.#options.accounts.get(agent.found.adapter, agent.joined);
      if (agent.account !== account) continue;
      this.#announce(agent);
      this.#keepRun(agent);
    }
  }

  async #look(): Promise<void> {
    const { shells: watched, source, accounts, presence } = this.#options;
    const shells = watched();
    const programs = new Set(shells.flatMap(({ pid, direct = false }) => (direct ? [pid] : [])));
    const below = await source.below(
      shells.map(({ pid }) => pid),
      programs,
    );
    const present = new Set<string>();
    for (const shell of shells) {
      const found = findAgents(below.get(shell.pid) ?? [], this.#recogniser.recognise);
      for (const one of found) {
        present.add(this.#meet(shell, one));
        const { adapter, process, launchedAt } = one;
        presence.note(shell, { run: one.id, agentType: adapter.kind, folder: process.cwd() ?? "" }, launchedAt);
      }
    }
    this.#recogniser.settle();
    presence.keepOnly(shells);
    for (const [id, agent] of this.#agents) if (!present.has(id)) this.#end(id, agent);
    const names = new Set(shells.map(nameOf));
    for (const name of this.#heard.keys()) if (!names.has(name)) this.#heard.delete(name);
    if (this.#agents.size > 0) {
      const byAge = [...this.#agents.values()].sort((one, other) => one.found.launchedAt - other.found.launchedAt);
      for (const agent of byAge) this.#join(agent);
      for (const agent of byAge) this.#announce(agent);
    }
    accounts.keepOnly(new Set([...this.#agents.values(), ...this.#ending].flatMap(({ account }) => account ?? [])));
  }

  /** Answers the agent's id. */
  #meet({ sessionId, shellId }: WatchedShell, found: FoundAgent): string {
    const known = this.#agents.get(found.id);
    if (known !== undefined) {
      // The start is computed from the uptime and wavers by some milliseconds.
      known.found = { ...found, launchedAt: known.found.launchedAt };
      return found.id;
    }
    const agent = new LiveAgent(sessionId, shellId, found);
    this.#agents.set(found.id, agent);
    for (const { signal, at } of this.#heard.get(nameOf({ sessionId, shellId }))?.values() ?? [])
      if (at >= found.launchedAt) tell(agent, signal, at);
    return found.id;
  }

  #join(agent: LiveAgent): void {
    const { accounts } = this.#options;
    const { process, adapter, launchedAt } = agent.found;
    const cwd = process.cwd() ?? agent.joined?.cwd;
    if (cwd === undefined) return;
    agent.startModel ??= adapter.startModel(process, cwd);
    const others = [...this.#agents.values()].filter((other) => other !== agent && other.kind === agent.kind);
    const joined = adapter.join({
      process,
      launchedAt,
      cwd,
      known: agent.joined,
      alone: !others.some((other) => other.joined?.cwd === cwd),
      taken: (sessionId) => others.some((other) => other.joined?.sessionId === sessionId),
    });
    if (joined === undefined) return;
    if (joined.sessionId !== agent.joined?.sessionId) {
      this.#keepRun(agent); // of the session before, after `/clear` or `/new`
      agent.account = undefined;
    }
    agent.joined = joined;
    agent.account ??= accounts.get(adapter, joined);
  }

  #end(id: string, agent: LiveAgent): void {
    this.#agents.delete(id);
    agent.ended = true;
    this.#ending.add(agent);
    const finish = () => {
      this.#ending.delete(agent);
      this.#keepRun(agent);
      if (agent.told !== undefined)
        this.#options.onChange({
          type: "agent.ended",
          session: agent.session,
          agent: endedRecord(agent, this.#options.clock.now()),
        });
    };
    if (agent.account === undefined) finish();
    else void this.#options.accounts.update(agent.account).then(finish);
  }

  #announce(agent: LiveAgent): void {
    if (!agent.counts || agent.ended) return;
    const record = agent.record();
    const before = agent.told;
    if (before !== undefined && JSON.stringify(before) === JSON.stringify(record)) return;
    agent.told = record;
    const waits = record.state === "waiting" && before?.state !== "waiting";
    if (waits) this.#keepRequest(record);
    const { session } = agent;
    if (before === undefined) this.#options.onChange({ type: "agent.started", session, agent: record });
    if (waits) this.#options.onChange({ type: "agent.waiting", session, agent: record });
    else if (before !== undefined) this.#options.onChange({ type: "agent.updated", session, agent: record });
    if (before?.sessionId !== record.sessionId || before.model !== record.model) this.#keepRun(agent);
  }

  #keepRequest({ agentType, sessionId, reason, since }: Agent): void {
    const key = `${agentType}/${sessionId}`;
    const requests = this.#requests.get(key) ?? [];
    const at = since ?? new Date(this.#options.clock.now()).toISOString();
    requests.push(
      agentEvent(`waiting:${at}`, "permission_request", at, reason?.detail ?? "", { source: reason?.source ?? "" }),
    );
    this.#requests.set(key, requests.slice(-MAX_REQUESTS));
  }

  #keepRun(agent: LiveAgent): void {
    const run = agent.counts ? runOf(agent) : undefined;
    if (run === undefined) return;
    try {
      this.#options.store.recordRun(run);
    } catch (error) {
      this.#options.log("an agent's run could not be kept", { error: String(error) });
    }
  }

  #in(session: SessionId): LiveAgent[] {
    return [...this.#agents.values()].filter((agent) => agent.session === session && agent.counts);
  }
}

function tell(agent: LiveAgent, signal: TerminalSignal, at: number): void {
  const heard = statusSignal(signal, at, (title) => agent.found.adapter.titleStatus(title));
  if (heard !== undefined) agent.hear(heard);
}

function runOf(agent: LiveAgent): AgentRun | undefined {
  const { joined, account, session, shellId, kind, model, found } = agent;
  if (joined === undefined) return undefined;
  const launched = new Date(found.launchedAt).toISOString();
  const startedAt = account?.firstAt ?? launched;
  const lastActivityAt = account?.lastAt ?? launched;
  const { sessionId, home, cwd } = joined;
  return { session, shellId, agentType: kind, sessionId, home, cwd, model, startedAt, lastActivityAt };
}

function endedRecord(agent: LiveAgent, now: number): Agent {
  const since = new Date(now).toISOString();
  return {
    ...agent.record(),
    state: "ended",
    status: "ended",
    since,
    reason: { source: "process", detail: "the process has ended", at: since },
  };
}

/** Shell ids are counted in every session anew. */
type ShellName = Pick<WatchedShell, "sessionId" | "shellId">;

function nameOf({ sessionId, shellId }: ShellName): string {
  return `${sessionId}/${shellId}`;
}
