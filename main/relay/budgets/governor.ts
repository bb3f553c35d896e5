import type { Budget, BudgetAlert, BudgetKey, BudgetSetting } from "../../../core/protocol/budgets.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import type { Question } from "../../../core/protocol/questions.ts";
import { localDate, localMidnight } from "../../../core/protocol/usage.ts";
import type { Log } from "../../system/log.ts";
import type { AgentsPort, InputGovernor } from "../session/ports.ts";
import type { Session } from "../session/session.ts";
import type { BudgetCount } from "../store/budget-rows.ts";
import { describeSpent, formatAmount, MORE, questionOf } from "./budget-question.ts";
import type { Budgets } from "./budgets.ts";
import {
  type AgentPlace,
  alertOf,
  type Count,
  countsOf,
  holdingPart,
  type Spending,
  shellKey,
  spendingOf,
  useOf,
} from "./spending.ts";
import { liveAgent, TurnStops } from "./turn-stops.ts";

interface GovernorOptions {
  readonly budgets: Budgets;
  readonly agents: Pick<
    AgentsPort,
    "cost" | "usageHistory" | "windows" | "limited" | "readLatest" | "interruptKeys" | "stopTurn"
  >;
  readonly sessions: () => readonly Session[];
  readonly log: Log;
  readonly now?: () => Date;
}

/** A budget that holds the automated input to a shell. */
interface Hold {
  readonly setting: BudgetSetting;
  readonly count: Count;
}

/** Agents report many times a second; what they report is summed at most this often, and before automated input. */
const SUM_EVERY_MS = 200;
/** What agents used without a relay, and what they read late, is told by no event. */
const SUM_ANYWAY_MS = 60_000;
/** A budget warns from this share of its limit on. */
const NEARLY = 0.8;
/** After a start of the relay, agents are found again within this time. */
const AGENTS_FOUND_MS = 30_000;
/** Alerts that are kept for a subscriber that comes later. */
const MOST_ALERTS = 50;

/**
 * Holds automated input at the limit of a budget, and asks how to go on (docs/decisions/0027). It never ends a program,
 * and never holds what a person types.
 */
export class Governor implements InputGovernor, Disposable {
  readonly #options: GovernorOptions;
  readonly #stops: TurnStops;
  readonly #listeners = new Set<(alert: BudgetAlert) => void>();
  #untold: BudgetAlert[] = [];
  /** By shell: see `shellKey`. */
  #holds: ReadonlyMap<string, Hold> = new Map();
  #isCurrent = false;
  #day = "";
  #timer: NodeJS.Timeout | undefined;
  #midnight: NodeJS.Timeout | undefined;
  readonly #anyway: NodeJS.Timeout;
  #disposed = false;
  readonly #startedAt = performance.now();

  constructor(options: GovernorOptions) {
    this.#options = options;
    this.#stops = new TurnStops({
      interruptKeys: options.agents.interruptKeys,
      stopTurn: options.agents.stopTurn,
      session: (id) => this.#session(id),
    });
    options.budgets.onChange((key) => {
      this.#withdraw(key, "the budget was changed");
      options.budgets.forgetCounts(key);
      this.agentsChanged();
    });
    this.#anyway = setInterval(() => this.agentsChanged(), SUM_ANYWAY_MS);
    this.#anyway.unref();
    this.agentsChanged();
  }

  /** Subscribes to the warnings. The first subscriber gets those from before it, too. Returns an unsubscribe function. */
  onAlert(listener: (alert: BudgetAlert) => void): () => void {
    this.#listeners.add(listener);
    for (const alert of this.#untold.splice(0)) listener(alert);
    return () => this.#listeners.delete(listener);
  }

  /** Returns the budgets with everything that counts against them now. */
  list(): Budget[] {
    const { budgets } = this.#options;
    this.#sum();
    const spending = this.#spending();
    return budgets.list().map((setting) => ({
      ...setting,
      uses: countsOf(setting, spending).map((count) => useOf(setting, count, budgets.count(setting, count.of))),
    }));
  }

  agentsChanged(): void {
    this.#isCurrent = false;
    this.#stops.look();
    if (this.#timer !== undefined || this.#disposed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#sumInBackground();
    }, SUM_EVERY_MS);
    this.#timer.unref();
  }

  /** @throws RemoteError `budget_reached` */
  async checkPrompt(session: SessionId, shell: ShellId): Promise<void> {
    if (!this.#mayHold()) return;
    await this.#options.agents.readLatest(session, shell);
    this.#isCurrent = false;
    this.checkInput(session, shell);
  }

  /** @throws RemoteError `budget_reached` */
  checkInput(session: SessionId, shell: ShellId): void {
    if (!this.#mayHold()) return;
    this.#sum();
    const hold = this.#holds.get(shellKey({ session, shellId: shell }));
    if (hold === undefined) return;
    const question = this.#asked(hold, shellKey({ session, shellId: shell }));
    const { setting, count } = hold;
    const { raised } = this.#options.budgets.count(setting, count.of);
    const advice = question === undefined ? "Set a higher limit" : `Answer question ${question.id}`;
    throw new RemoteError(
      "budget_reached",
      `${describeSpent(setting, count, raised ?? setting.limit)} Automated input to shell ${shell} is held. ${advice}, or type in the terminal.`,
    );
  }

  #mayHold(): boolean {
    return this.#options.budgets.list().some(({ atLimit }) => atLimit !== "warn");
  }

  answered(question: Question): void {
    const { budgets } = this.#options;
    for (const setting of budgets.list()) {
      const known = budgets.counts(setting).find((one) => isAbout(one, question));
      if (known === undefined) continue;
      this.#apply(setting, known, question);
      this.agentsChanged();
      return;
    }
    this.#session(question.session)?.questions.settle(question.id, "overruled", "the budget was changed before");
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#midnight);
    clearInterval(this.#anyway);
    this.#stops[Symbol.dispose]();
    this.#listeners.clear();
  }

  #sumInBackground(): void {
    try {
      this.#sum();
    } catch (error) {
      this.#options.log.warn("the budgets of agents could not be checked", { error });
    }
  }

  /** Brings the holds up to date, unless nothing has changed. */
  #sum(): void {
    const { budgets } = this.#options;
    const day = localDate(this.#now());
    if (this.#disposed || (this.#isCurrent && day === this.#day)) return;
    if (budgets.list().length === 0) {
      this.#holds = new Map();
      return;
    }
    if (day !== this.#day) this.#beginDay(day);
    const spending = this.#spending();
    const holds = new Map<string, Hold>();
    for (const setting of budgets.list()) {
      for (const count of countsOf(setting, spending)) {
        if (!this.#judge({ setting, count })) continue;
        for (const place of count.agents) {
          if (this.#isConcerned(setting, place)) holds.set(shellKey(place), { setting, count });
        }
      }
    }
    this.#holds = holds;
    this.#isCurrent = true;
  }

  /** Compares a count with its budget. Returns whether automated input is to be held. */
  #judge({ setting, count }: Hold): boolean {
    const { budgets } = this.#options;
    if (setting.scope === "window") this.#forgetReset({ setting, count });
    const known = this.#carriedOut(setting, count.of);
    if (known.state !== "within") return known.state !== "released";
    const limit = known.raised ?? setting.limit;
    const percent = count.spent >= limit ? 100 : count.spent >= limit * NEARLY ? 80 : 0;
    const holds = setting.atLimit !== "warn" && holdingPart(setting, count) >= limit;
    if (percent <= known.percent && !holds) return false;
    budgets.setCount(setting, { ...known, percent, state: holds ? "held" : "within" });
    if (holds) this.#asked({ setting, count });
    else if (percent !== 0) this.#tell(alertOf(setting, count, { limit, percent }));
    return holds;
  }

  /** Within a window its share only grows: below what it has reached before, the window was reset, and begins anew. */
  #forgetReset({ setting, count }: Hold): void {
    const { budgets } = this.#options;
    const known = budgets.count(setting, count.of);
    const isBegun = known.percent !== 0 || known.raised !== null || known.state !== "within";
    const reached = known.percent === 80 ? setting.limit * NEARLY : setting.limit;
    if (!isBegun || count.spent >= reached) return;
    this.#withdraw(setting, "the window was reset", ({ of }) => of === count.of);
    budgets.forgetCount(setting, count.of);
  }

  /** Carries out an answer that the relay was cut off from carrying out. */
  #carriedOut(setting: BudgetSetting, of: string): BudgetCount {
    const { budgets } = this.#options;
    const known = budgets.count(setting, of);
    const question = known.state === "held" ? this.#questionOf(known) : undefined;
    if (question?.state !== "answered") return known;
    this.#apply(setting, known, question);
    return budgets.count(setting, of);
  }

  /**
   * Returns the open question about a hold, asked now where none is open. `at` is the shell that input was held for. There
   * is none after the answer to stop, and where no shell is left to ask in.
   */
  #asked({ setting, count }: Hold, at?: string): Question | undefined {
    const { budgets, agents } = this.#options;
    const known = budgets.count(setting, count.of);
    if (known.state !== "held") return undefined;
    const open = this.#questionOf(known);
    if (open?.state === "open") return open;
    const place = this.#placeToAsk({ setting, count }, at);
    if (place === undefined) return undefined;
    const limit = known.raised ?? setting.limit;
    const inPane = liveAgent(this.#session(place.session), place)?.inPane === true;
    const canStop = agents.interruptKeys(place.agentType) !== undefined && !inPane;
    const asked = questionOf({ setting, count, limit, place, canStop });
    const question = this.#session(place.session)?.questions.askForRelay(asked);
    if (question === undefined) return undefined;
    budgets.setCount(setting, { ...known, session: place.session, question: question.id });
    return question;
  }

  /** Prefers the shell that input was held for, then one whose agent works, then the last one. */
  #placeToAsk({ setting, count }: Hold, at: string | undefined): AgentPlace | undefined {
    const here = count.agents.filter((place) => this.#isConcerned(setting, place));
    return (
      here.find((place) => shellKey(place) === at) ??
      here.find((place) => liveAgent(this.#session(place.session), place)?.state === "working") ??
      here.at(-1)
    );
  }

  /**
   * Whether a budget holds input to the shell of an agent. The budget of one agent does so while the agent is there; all
   * others also after it, because the next one that is started there counts too.
   */
  #isConcerned({ scope }: BudgetSetting, place: AgentPlace): boolean {
    const session = this.#session(place.session);
    if (session?.shells.find(place.shellId)?.running !== true) return false;
    if (scope !== "agent" || liveAgent(session, place) !== undefined) return true;
    return performance.now() - this.#startedAt < AGENTS_FOUND_MS;
  }

  #apply(setting: BudgetSetting, known: BudgetCount, { id, session, answer }: Question): void {
    const { budgets } = this.#options;
    const questions = this.#session(session)?.questions;
    const count = countsOf(setting, this.#spending()).find(({ of }) => of === known.of);
    switch (answer?.option) {
      case "more": {
        const spent = count === undefined ? 0 : holdingPart(setting, count);
        const raised = Math.max(known.raised ?? setting.limit, spent) + MORE[setting.unit];
        budgets.setCount(setting, { ...known, percent: 0, raised, state: "within", question: null });
        questions?.settle(id, "confirmed", `the limit is ${formatAmount(setting.unit, raised)} now`);
        break;
      }
      case "run":
        budgets.setCount(setting, { ...known, state: "released", question: null });
        questions?.settle(id, "confirmed", "this budget holds nothing any more");
        break;
      default:
        budgets.setCount(setting, { ...known, state: "stopped" });
        this.#stops.stop(count?.agents ?? [], (state, evidence) => questions?.settle(id, state, evidence));
    }
  }

  /** Begins a day: what was counted on another one no longer holds anything. */
  #beginDay(day: string): void {
    const { budgets } = this.#options;
    this.#day = day;
    for (const setting of budgets.list().filter(({ scope }) => isByDay(scope)))
      this.#withdraw(setting, "a new day has begun", ({ of }) => !of.startsWith(day));
    budgets.beginDay(day);
    const next = new Date(localMidnight(this.#now()));
    next.setDate(next.getDate() + 1);
    clearTimeout(this.#midnight);
    this.#midnight = setTimeout(() => this.#sumInBackground(), next.getTime() - this.#now().getTime());
    this.#midnight.unref();
  }

  #withdraw(key: BudgetKey, because: string, which: (known: BudgetCount) => boolean = () => true): void {
    for (const known of this.#options.budgets.counts(key).filter(which)) {
      const question = this.#questionOf(known);
      if (question?.state === "open") this.#session(question.session)?.questions.withdraw(question.id, because);
    }
  }

  #tell(alert: BudgetAlert): void {
    for (const listener of this.#listeners) listener(alert);
    if (this.#listeners.size === 0) this.#untold = [...this.#untold, alert].slice(-MOST_ALERTS);
    for (const session of this.#options.sessions()) session.emit({ type: "budget.warned", data: alert });
  }

  #spending(): Spending {
    const { agents, sessions } = this.#options;
    return spendingOf(
      agents,
      sessions().map(({ id }) => id),
      this.#now(),
    );
  }

  #questionOf({ session, question }: BudgetCount): Question | undefined {
    if (session === null || question === null) return undefined;
    return this.#session(session)?.questions.find(question);
  }

  #session(id: SessionId): Session | undefined {
    return this.#options.sessions().find((session) => session.id === id);
  }

  #now(): Date {
    return this.#options.now?.() ?? new Date();
  }
}

function isAbout({ session, question, state }: BudgetCount, { session: asked, id }: Question): boolean {
  return state === "held" && session === asked && question === id;
}

function isByDay(scope: BudgetKey["scope"]): boolean {
  return scope === "day" || scope === "model";
}
