import type { Agent, AgentStatus } from "../../../../../core/protocol/agent-records.ts";
import type { BudgetSetting } from "../../../../../core/protocol/budgets.ts";
import { RemoteError } from "../../../../../core/protocol/errors.ts";
import { ShellId } from "../../../../../core/protocol/ids.ts";
import type { Question } from "../../../../../core/protocol/questions.ts";
import { Budgets } from "../../../../../main/relay/budgets/budgets.ts";
import { Governor } from "../../../../../main/relay/budgets/governor.ts";
import type { AgentPlace } from "../../../../../main/relay/budgets/spending.ts";
import { SpendingAgents } from "../../../../support/spending-agents.ts";
import { type SmallSession, smallSession } from "../small-session.ts";

/** A governor over a session with two running shells, and agents whose use the test sets. */
export class GovernorBench implements AsyncDisposable {
  readonly small: SmallSession;
  readonly agents = new SpendingAgents();
  readonly budgets: Budgets;
  readonly warned: string[] = [];
  readonly read: number[] = [];
  costFails = false;
  governor!: Governor;

  private constructor(small: SmallSession) {
    this.small = small;
    this.budgets = new Budgets(small.store.budgets);
  }

  static async open(): Promise<GovernorBench> {
    const small = smallSession();
    const client = await small.join();
    await client.execute("createShell", {});
    await client.execute("createShell", {});
    return new GovernorBench(small);
  }

  get session() {
    return this.small.session;
  }

  /** Starts a governor, as the relay's start does. */
  start(): Governor {
    const quiet = () => undefined;
    const { port } = this.agents;
    this.governor = new Governor({
      budgets: this.budgets,
      agents: {
        ...port,
        cost: (...asked) => {
          if (this.costFails) throw new Error("the store fails");
          return port.cost(...asked);
        },
        usageHistory: (...asked) => port.usageHistory(...asked),
        readLatest: async (_session, shell) => void this.read.push(shell),
      },
      sessions: () => [this.session],
      log: { debug: quiet, info: quiet, warn: (message) => void this.warned.push(message), error: quiet },
    });
    return this.governor;
  }

  set(setting: Partial<BudgetSetting> & Pick<BudgetSetting, "scope">): BudgetSetting {
    const whole = { subject: "", unit: "dollars", limit: 10, atLimit: "hold", ...setting } as const;
    this.budgets.set(whole);
    return whole;
  }

  /** Adds to what the agent in a shell has used, and reports it. */
  spend(shell: number, spent: Parameters<SpendingAgents["use"]>[2], state: AgentStatus = "working"): void {
    this.agents.use(this.session.id, ShellId.parse(shell), spent);
    this.tell(shell, state);
  }

  tell(shell: number, state: AgentStatus, more: Partial<Agent> = {}): void {
    const { now } = this.session.state;
    const tokenUsage = { input: 0, output: 0, cached: 0, cost: 0 };
    const agent: Agent = { ...this.place(shell), model: "m", tokenUsage, state, ...more };
    const others = now.agents.filter(({ shellId }) => shellId !== shell);
    this.session.state.apply({ kind: "agents", agents: state === "ended" ? others : [...others, agent] });
    this.governor?.agentsChanged();
  }

  place(shell: number): AgentPlace {
    return {
      ...{ session: this.session.id, shellId: ShellId.parse(shell) },
      ...{ agentType: "claude", sessionId: `agent-${shell}` },
    };
  }

  /** Returns why automated input to a shell is held; undefined where it is not. */
  held(shell: number): string | undefined {
    try {
      this.governor.checkInput(this.session.id, ShellId.parse(shell));
      return undefined;
    } catch (error) {
      if (!(error instanceof RemoteError) || error.code !== "budget_reached") throw error;
      return error.message;
    }
  }

  /** The questions of the governor, each with its state. */
  questions(): readonly Question[] {
    return this.session.questions.list({ all: true });
  }

  /** Answers a question, as its session does. */
  async answer(id: number, option: "more" | "stop" | "run"): Promise<Question> {
    const by = { kind: "user", name: "ann", client: null } as const;
    const answered = await this.session.questions.answer(id, { option }, by, { forRelay: true });
    this.governor.answered(answered);
    return this.session.questions.find(id) ?? answered;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.governor?.[Symbol.dispose]();
    await this.small[Symbol.asyncDispose]();
  }
}
