import type { Agent, AgentStatus } from "../../core/protocol/agent-records.ts";
import type { SessionId, ShellId } from "../../core/protocol/ids.ts";
import type { Joined } from "./adapter.ts";
import { decideStatus, reasonOf, type StatusSignal, type StatusSignals, withSignal } from "./agent-status.ts";
import type { FoundAgent } from "./find-agents.ts";
import { noUsage } from "./ledger.ts";
import type { SessionAccount } from "./session-account.ts";

/** One running agent: its process, the session it works on and what is known of its status. */
export class LiveAgent {
  readonly session: SessionId;
  readonly shellId: ShellId;
  found: FoundAgent;
  joined: Joined | undefined;
  account: SessionAccount | undefined;
  /** What it was asked to run on, until it answers. */
  startModel: string | undefined;
  /** What was last told to the listeners. */
  told: Agent | undefined;
  ended = false;
  #signals: StatusSignals = {};
  #status: AgentStatus = "idle";
  #since: number;

  constructor(session: SessionId, shellId: ShellId, found: FoundAgent) {
    this.session = session;
    this.shellId = shellId;
    this.found = found;
    this.#since = found.launchedAt;
  }

  get kind(): string {
    return this.found.adapter.kind;
  }

  /** A process that only looks like an agent counts once it has a transcript of its own. */
  get counts(): boolean {
    return this.found.recognition === "certain" || this.joined !== undefined;
  }

  get model(): string {
    return this.account?.model || this.startModel || "";
  }

  hear(signal: StatusSignal): void {
    this.#signals = withSignal(this.#signals, signal);
  }

  /** The agent as it is now. */
  record(): Agent {
    const decided = this.#decide();
    if (decided.status !== this.#status) {
      this.#status = decided.status;
      this.#since = decided.at;
    }
    const state = this.ended ? "ended" : decided.status;
    return {
      shellId: this.shellId,
      agentType: this.kind,
      model: this.model,
      sessionId: this.joined?.sessionId ?? "",
      tokenUsage: this.account?.usage() ?? noUsage,
      state,
      status: state,
      since: new Date(this.#since).toISOString(),
      reason: reasonOf(decided),
      ...(this.found.process.stopped && !this.ended && { paused: true }),
    };
  }

  #decide(): StatusSignal {
    const told = this.account?.status;
    const at = told === undefined ? Number.NaN : Date.parse(told.at);
    const file = this.joined?.reported;
    let signals = this.#signals;
    // A resumed session's last words of an earlier run say nothing about this one.
    if (told !== undefined && at >= this.found.launchedAt - SLACK_MS)
      signals = { ...signals, transcript: { source: "transcript", status: told.status, detail: told.detail, at } };
    if (file !== undefined) signals = { ...signals, "agent-file": { source: "agent-file", ...file } };
    return decideStatus(signals, this.found.launchedAt);
  }
}

const SLACK_MS = 1000;
