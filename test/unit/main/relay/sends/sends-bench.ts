import type { Agent, AgentEvent } from "../../../../../core/protocol/agent-records.ts";
import { RemoteError } from "../../../../../core/protocol/errors.ts";
import type { RelayEvent } from "../../../../../core/protocol/events.ts";
import type { SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import type { Receipt } from "../../../../../core/protocol/receipts.ts";
import { promptInput } from "../../../../../main/agents/adapters/prompt-input.ts";
import { Leases } from "../../../../../main/relay/sends/leases.ts";
import { Sends } from "../../../../../main/relay/sends/sends.ts";
import { TypingGuard } from "../../../../../main/relay/sends/typing-guard.ts";
import { openStore } from "../../../../../main/relay/store/open-store.ts";
import { Store } from "../../../../../main/relay/store/store.ts";
import { until } from "../../../../support/until.ts";
import { temporaryFolder } from "../temporary-folder.ts";

export const SHELL = 1 as ShellId;
export const SESSION = "session-1" as SessionId;
const input = promptInput({ settleMs: 1, marker: /^> ?/, pasted: /\[Pasted\]/ });
/** A prompt as a caller sends it. */
export const prompt = (text: string, more: object = {}) => ({
  ...{ text, when: "idle" as const, guard: true, expiresIn: 60 },
  ...more,
});
export const ANN = { account: "key ann", name: "ann", isAutomated: false, byAgent: false, restrictsShell: false };
export const AGENT = {
  account: "shell session-1 2",
  name: "shell 2",
  isAutomated: true,
  byAgent: true,
  restrictsShell: true,
};

/** The queue of a session with one shell, in which an agent draws what it gets and records it when the test says so. */
export class Bench implements Disposable {
  readonly #folder = temporaryFolder();
  readonly store = new Store(openStore(this.#folder.path).database);
  readonly written: string[] = [];
  readonly events: AgentEvent[] = [];
  agent: Agent | undefined = agent("idle");
  /** Other agents in the shell, after that one. */
  others: Agent[] = [];
  screen = "> ";
  isQuestionOpen = false;
  isBudgetSpent = false;
  isPermitted = true;
  isKilled = false;
  isRestricted = false;
  infoFails: Error | undefined;
  /** Records each prompt as soon as Enter is pressed. */
  records = true;
  onWrite: (data: string) => void = () => undefined;
  leases!: Leases;
  guard!: TypingGuard;
  sends!: Sends;
  #told = 0;

  constructor() {
    this.store.sessions.add({ id: SESSION, name: "default", owner: "ann", createdAt: new Date(0).toISOString() });
    this.open();
  }

  /** Opens the queue from the store, as the relay's start does. */
  open(): void {
    const agents = () => [...(this.agent === undefined ? [] : [this.agent]), ...this.others];
    const info = async () => {
      if (this.infoFails !== undefined) throw this.infoFails;
      return { bracketedPaste: true, atPrompt: false, foreground: "claude", command: "bash" } as never;
    };
    this.leases = new Leases(() => undefined);
    this.guard = new TypingGuard({
      ...{ leases: this.leases, agents, info },
      isQuestionOpen: () => this.isQuestionOpen,
      isAgentType: (name) => name === "claude",
    });
    this.#told = 0;
    this.sends = new Sends({
      session: { id: SESSION, emit: () => undefined },
      rows: this.store.receipts,
      ...{ guard: this.guard, agents },
      input: (kind) => (kind === "claude" ? input : undefined),
      follow: () => async () => {
        const news = this.events.slice(this.#told);
        this.#told = this.events.length;
        return news;
      },
      isRunning: () => true,
      isQuestionOpen: () => this.isQuestionOpen,
      checkBudget: async () => {
        if (this.isBudgetSpent) throw new RemoteError("budget_reached", "Today's budget is spent.");
      },
      isPermitted: () => this.isPermitted,
      markTyped: () => (this.isRestricted = true),
      terminal: { info, screen: async () => this.screen, write: async (_shell, data) => this.#take(data) },
      timing: { lookEveryMs: 5, uncertainAfterMs: 150, givenUpAfterMs: 400 },
    });
    this.sends.restore();
  }

  async #take(data: string): Promise<{ queued: number }> {
    if (data === "") return { queued: 0 };
    this.written.push(data);
    if (data === "\r" && this.records) this.record("user_message", this.screen.slice(2));
    this.screen =
      data === "\r"
        ? "> "
        : `> ${data.replaceAll("\u001b[200~", "").replaceAll("\u001b[201~", "").replaceAll("\r", "\n")}`;
    this.onWrite(data);
    if (this.isKilled) return new Promise(() => undefined);
    return { queued: 0 };
  }

  record(type: AgentEvent["type"], text: string): void {
    this.events.push({ id: `event-${this.events.length}`, type, at: new Date().toISOString(), text, data: {} });
  }

  change(state: Agent["state"]): void {
    this.agent = agent(state);
    this.sends.heard({ type: "agent.updated", data: this.agent } as RelayEvent);
  }

  reached(id: number, state: Receipt["state"]): Promise<Receipt> {
    return until(`${state}`, () => {
      const receipt = this.sends.get(id);
      return receipt.state === state ? receipt : undefined;
    });
  }

  [Symbol.dispose](): void {
    this.sends[Symbol.dispose]();
    this.leases[Symbol.dispose]();
    this.store[Symbol.dispose]();
    this.#folder[Symbol.dispose]();
  }
}

export function agent(state: Agent["state"]): Agent {
  const tokenUsage = { input: 0, output: 0, cached: 0, cost: 0 };
  const since = new Date().toISOString();
  return { shellId: SHELL, agentType: "claude", model: "", sessionId: "a-1", tokenUsage, state, since };
}
