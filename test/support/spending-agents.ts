import type { Agent, AgentCost, AgentStatus } from "../../core/protocol/agent-records.ts";
import type { SessionId, ShellId } from "../../core/protocol/ids.ts";
import type { AccountWindow } from "../../core/protocol/quotas.ts";
import { localDate } from "../../core/protocol/usage.ts";
import { addUsage } from "../../main/agents/ledger.ts";
import type { AgentsPort } from "../../main/relay/session/ports.ts";
import { noAgents } from "./no-agents.ts";
import type { TestRelay } from "./test-relay.ts";

type Spent = Partial<Pick<Agent["tokenUsage"], "cost" | "output" | "unpriced" | "approximate">>;

interface Spender {
  readonly session: SessionId;
  readonly shellId: ShellId;
  readonly sessionId: string;
  usage: AgentCost["total"];
}

/** Agents whose usage and state the test sets, in place of those that the relay would find. */
export class SpendingAgents {
  readonly #spenders: Spender[] = [];
  windows: AccountWindow[] = [];
  readonly model = "claude-opus-5";
  readonly port: AgentsPort = {
    ...noAgents,
    cost: (session) => {
      const agents = this.#spenders.filter((one) => one.session === session);
      const records = agents.map(({ shellId, sessionId, usage }) => ({
        ...usage,
        shellId,
        sessionId,
        agentType: "claude",
      }));
      return { total: NOTHING, byModel: [], agents: records };
    },
    usageHistory: () =>
      this.#spenders.map(({ sessionId, usage }) => ({
        ...usage,
        from: localDate(new Date()),
        agentType: "claude",
        model: this.model,
        sessionId,
        calls: 1,
      })),
    windows: () => this.windows,
    limited: (session) => {
      const agents = this.#spenders.filter((one) => one.session === session);
      return agents.map(({ shellId, sessionId }) => ({ shellId, sessionId, agentType: "claude", account: ACCOUNT }));
    },
    interruptKeys: (agentType) => (agentType === "claude" ? "\x1b" : undefined),
  };

  /** Adds to what an agent in a shell has used, and reports it to the relay, as its next turn does. */
  spend(relay: TestRelay, shellId: ShellId, spent: Spent, sessionId = `agent-${shellId}`): void {
    this.use(relay.session, shellId, spent, sessionId);
    this.tell(relay, shellId, "working", sessionId);
  }

  /** Adds to what an agent in a shell has used, without a report. */
  use(session: SessionId, shellId: ShellId, spent: Spent, sessionId = `agent-${shellId}`): void {
    let spender = this.#spenders.find((one) => one.shellId === shellId && one.sessionId === sessionId);
    if (spender === undefined) {
      spender = { session, shellId, sessionId, usage: NOTHING };
      this.#spenders.push(spender);
    }
    spender.usage = addUsage(spender.usage, { ...NOTHING, ...spent });
  }

  /** Reports how much of the account's 5-hour window is used, as an agent in a shell does. */
  useWindow(relay: TestRelay, shellId: ShellId, usedPercent: number): void {
    const { window, minutes, agentType } = { window: "5h", minutes: 300, agentType: "claude" };
    const [at, resetsAt] = [new Date().toISOString(), new Date(Date.now() + 3_600_000).toISOString()];
    this.windows = [{ agentType, account: ACCOUNT, window, minutes, usedPercent, resetsAt, at }];
    this.spend(relay, shellId, {});
  }

  /** Reports the state of an agent in a shell. */
  tell(relay: TestRelay, shellId: ShellId, state: AgentStatus, sessionId = `agent-${shellId}`): void {
    const { state: session } = relay.relay.sessions.get(relay.session);
    const usage = this.#spenders.find((one) => one.sessionId === sessionId)?.usage ?? NOTHING;
    const agent = { shellId, agentType: "claude", model: this.model, sessionId, tokenUsage: usage, state };
    const others = session.now.agents.filter((one) => one.shellId !== shellId);
    session.apply({ kind: "agents", agents: state === "ended" ? others : [...others, agent] });
    session.emit({ type: state === "ended" ? "agent.ended" : "agent.updated", data: agent });
  }
}

const ACCOUNT = "/home/user/.claude";
const NOTHING = { input: 0, output: 0, cached: 0, cost: 0 };
