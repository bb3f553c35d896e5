import type { AgentEvent } from "../../core/protocol/agent-records.ts";
import type { SessionId } from "../../core/protocol/ids.ts";
import type { Accounts } from "./accounts.ts";
import { type KnownRun, knownRuns } from "./agent-reports.ts";
import type { AgentsOptions } from "./agents-options.ts";
import { childAgents } from "./child-agents.ts";
import type { Clock } from "./clock.ts";
import { type EndedAgents, endedRecord } from "./ended-agents.ts";
import type { LiveAgent } from "./live-agent.ts";
import { PermissionRequests } from "./permission-requests.ts";
import type { RunningAgents } from "./running-agents.ts";
import type { AgentSessionKey, UsageStore } from "./usage-store.ts";

interface AgentPublisherOptions extends Pick<AgentsOptions, "onChange"> {
  readonly running: Pick<RunningAgents, "all">;
  readonly runs: (session: SessionId) => readonly KnownRun[];
  readonly ended: Pick<EndedAgents, "keep">;
  readonly accounts: Accounts;
  readonly store: Pick<UsageStore, "runs">;
  readonly clock: Clock;
}

/** Tells what has changed of running agents: each record once, and what an agent's tools have started with the agent itself. */
export class AgentPublisher {
  readonly #options: AgentPublisherOptions;
  readonly #requests = new PermissionRequests();
  #disposed = false;

  constructor(options: AgentPublisherOptions) {
    this.#options = options;
  }

  permissionRequests(key: AgentSessionKey): readonly AgentEvent[] {
    return this.#requests.of(key);
  }

  /** Publishes an agent if it has changed. Returns whether it has. */
  publish(agent: LiveAgent): boolean {
    if (this.#disposed || !agent.counts || agent.ended) return false;
    const { onChange, clock, ended } = this.#options;
    if (agent.startedBy !== undefined) {
      if (agent.published === undefined) ended.keep(agent);
      return false;
    }
    const record = agent.record(clock.now());
    const before = agent.published;
    if (before !== undefined && JSON.stringify(before) === JSON.stringify(record)) return false;
    agent.published = record;
    const waits = record.state === "waiting" && before?.state !== "waiting";
    if (waits) this.#requests.keep(record, clock.now());
    const { session } = agent;
    if (before === undefined) onChange({ type: "agent.started", session, agent: record });
    if (waits) onChange({ type: "agent.waiting", session, agent: record });
    else if (before !== undefined) onChange({ type: "agent.updated", session, agent: record });
    // A proof must outlive a kill, too: what is only assumed is not resumed by itself.
    const isSame =
      before?.sessionId === record.sessionId && before.model === record.model && before.assumed === record.assumed;
    if (!isSame) ended.keep(agent);
    return true;
  }

  /** Publishes the agent that a person started, after one that its tools have started has changed. */
  publishParent({ startedBy }: LiveAgent): void {
    let top = startedBy;
    while (top?.startedBy !== undefined) top = top.startedBy;
    if (top === undefined || this.#disposed) return;
    top.childrenOf = undefined;
    this.listChildren(top);
    this.publish(top);
  }

  /** Tells the end of an agent that was published. */
  publishEnd(agent: LiveAgent): void {
    if (agent.published === undefined || this.#disposed) return;
    const { onChange, clock } = this.#options;
    onChange({ type: "agent.ended", session: agent.session, agent: endedRecord(agent, clock.now()) });
  }

  /** Lists what an agent in a shell has started: with the agent itself, and while one of them runs. */
  listChildren(agent: LiveAgent): void {
    const { startedBy, joined, session, kind } = agent;
    if (startedBy !== undefined || joined === undefined) return;
    const { running, runs, store, accounts } = this.#options;
    const isParent = running.all().some((one) => one.startedBy === agent);
    if (!isParent && agent.childrenOf === joined.sessionId) return;
    agent.childrenOf = joined.sessionId;
    agent.children = childAgents(
      { agentType: kind, sessionId: joined.sessionId },
      knownRuns(session, { runs }, store),
      accounts,
    );
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
  }
}
