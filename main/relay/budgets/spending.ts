import type { AgentCost, TokenUsage } from "../../../core/protocol/agent-records.ts";
import type { BudgetAlert, BudgetSetting, BudgetUse } from "../../../core/protocol/budgets.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import type { AccountWindow } from "../../../core/protocol/quotas.ts";
import { approximateCostOf, localDate, localMidnight, type UsageRow } from "../../../core/protocol/usage.ts";
import type { AgentsPort } from "../session/ports.ts";
import type { BudgetCount } from "../store/budget-rows.ts";

/** An agent session with what it used, and where it was last seen. */
type SeenAgent = AgentCost["agents"][number] & { readonly session: SessionId };

/** What the budgets are compared with. */
export interface Spending {
  /** Local date, such as `2026-01-31`. */
  readonly day: string;
  readonly agents: readonly SeenAgent[];
  /** Usage of this day by model. */
  readonly today: readonly UsageRow[];
  /** The quota windows of all accounts, each with the agents that run with it. */
  readonly windows: readonly SharedWindow[];
}

type SharedWindow = AccountWindow & { readonly agents: readonly AgentPlace[] };

/** What counts together against a budget. */
export interface Count {
  /** See `BudgetUse.of`. */
  readonly of: string;
  readonly spent: number;
  /** The part of a sum in dollars that was priced by a sibling model. */
  readonly approximate: number;
  /** A call without a price added nothing to a sum in dollars: it is a lower bound. */
  readonly unpriced: boolean;
  readonly agents: readonly AgentPlace[];
  /** The window that is counted, in the scope `window`. */
  readonly window?: AccountWindow;
}

export type AgentPlace = Pick<SeenAgent, "session" | "shellId" | "agentType" | "sessionId">;

/** Returns the counts of a budget, each with the agents that it is about. */
export function countsOf(setting: BudgetSetting, spending: Spending): Count[] {
  if (setting.scope === "window") return windowCounts(setting, spending);
  const counts = new Map<string, Measured & { agents: Set<AgentPlace> }>();
  const add = (of: string, usage: TokenUsage, agents: readonly AgentPlace[]) => {
    const known = counts.get(of) ?? { ...NOTHING, agents: new Set() };
    const added = measured(setting, usage);
    for (const agent of agents) known.agents.add(agent);
    counts.set(of, {
      spent: known.spent + added.spent,
      approximate: known.approximate + added.approximate,
      unpriced: known.unpriced || added.unpriced,
      agents: known.agents,
    });
  };
  if (setting.scope === "day" || setting.scope === "model") {
    for (const row of spending.today) {
      const of = nameOfRow(setting, row, spending.day);
      const isRow = ({ agentType, sessionId }: AgentPlace) =>
        agentType === row.agentType && sessionId === row.sessionId;
      if (of !== undefined) add(of, row, spending.agents.filter(isRow));
    }
  } else {
    for (const agent of spending.agents) {
      const of = nameOfAgent(setting, agent, spending.agents);
      if (of !== undefined) add(of, agent, [agent]);
    }
  }
  return [...counts].map(([of, { spent, approximate, unpriced, agents }]) => {
    return { of, spent: withoutDust(spent), approximate: withoutDust(approximate), unpriced, agents: [...agents] };
  });
}

/** Each window of each account is a count of its own. */
function windowCounts({ subject }: BudgetSetting, { windows }: Spending): Count[] {
  return windows.flatMap((shared) => {
    const { agentType, window, account, usedPercent, agents } = shared;
    const name = [window, shared.limit].filter(Boolean).join(" ");
    if (subject !== "" && subject !== name && subject !== `${agentType} ${name}`) return [];
    return [{ ...NOTHING, of: `${agentType} ${name} ${account}`, spent: usedPercent, agents, window: shared }];
  });
}

type Measured = Pick<Count, "spent" | "approximate" | "unpriced">;

const NOTHING: Measured = { spent: 0, approximate: 0, unpriced: false };

function measured({ unit }: BudgetSetting, usage: TokenUsage): Measured {
  if (unit === "tokens") return { ...NOTHING, spent: usage.input + usage.output + usage.cached };
  return { spent: usage.cost, approximate: approximateCostOf(usage) ?? 0, unpriced: usage.unpriced === true };
}

/** Rounds off the dust of binary fractions, which would be shown. */
function withoutDust(sum: number): number {
  return Math.round(sum * 1e10) / 1e10;
}

/** Returns the part of a count that holds automated input when it reaches the limit. */
export function holdingPart({ atLimit }: BudgetSetting, { spent, approximate }: Count): number {
  return atLimit === "hold-certain" ? withoutDust(spent - approximate) : spent;
}

function nameOfAgent(
  { scope, subject }: BudgetSetting,
  agent: SeenAgent,
  agents: readonly SeenAgent[],
): string | undefined {
  if (scope === "agent" && subject === agent.sessionId) return subject;
  const of = scope === "agent" ? topOf(agent, agents).sessionId : scope === "shell" ? shellKey(agent) : agent.session;
  return subject === "" || subject === of ? of : undefined;
}

/** Returns the agent in whose budget an agent counts: what a tool of it has started counts for it. */
function topOf(agent: SeenAgent, agents: readonly SeenAgent[]): SeenAgent {
  let top = agent;
  for (const passed = new Set([agent]); top.startedBy !== undefined; passed.add(top)) {
    const { agentType, sessionId } = top.startedBy;
    const parent = agents.find((one) => one.agentType === agentType && one.sessionId === sessionId);
    if (parent === undefined || passed.has(parent)) return top;
    top = parent;
  }
  return top;
}

function nameOfRow({ scope, subject }: BudgetSetting, { model }: UsageRow, day: string): string | undefined {
  if (scope === "day") return day;
  if (subject === "") return `${day} ${model}`;
  const fits = subject.endsWith("*") ? model.startsWith(subject.slice(0, -1)) : model === subject;
  return fits ? `${day} ${subject}` : undefined;
}

/** Returns the name of a shell among those of all sessions. */
export function shellKey({ session, shellId }: Pick<AgentPlace, "session" | "shellId">): string {
  return `${session}/${shellId}`;
}

/** Agents' clocks may be a little ahead. */
const CLOCK_SLACK_MS = 60_000;

/** Reads what the agents of some sessions have used. */
export function spendingOf(
  port: Pick<AgentsPort, "cost" | "usageHistory" | "windows" | "limited">,
  sessions: readonly SessionId[],
  now: Date,
): Spending {
  const agents = sessions.flatMap((session) =>
    port.cost(session, { explain: false }).agents.map((agent) => ({ ...agent, session })),
  );
  const today = port.usageHistory(localMidnight(now), new Date(now.getTime() + CLOCK_SLACK_MS), "day");
  const limited = sessions.flatMap((session) => port.limited(session).map((agent) => ({ ...agent, session })));
  const windows = port.windows().map((window) => {
    const { agentType, account } = window;
    return { ...window, agents: limited.filter((one) => one.agentType === agentType && one.account === account) };
  });
  return { day: localDate(now), agents, today, windows };
}

/** Returns a count and what is remembered of it, as callers see them. */
export function useOf({ limit }: BudgetSetting, count: Count, known: BudgetCount): BudgetUse {
  const { raised, state, session, question } = known;
  const isAsked = state === "held" && session !== null && question !== null;
  return {
    of: count.of,
    spent: count.spent,
    limit: raised ?? limit,
    ...doubtsOf(count),
    state,
    ...(isAsked && { question: { session, id: question } }),
  };
}

/** Returns the warning that a count has reached a share of its limit. */
export function alertOf(
  { scope, subject, unit }: BudgetSetting,
  count: Count,
  reached: Pick<BudgetAlert, "limit" | "percent">,
): BudgetAlert {
  return { scope, subject, unit, of: count.of, spent: count.spent, ...doubtsOf(count), ...reached };
}

function doubtsOf({ approximate, unpriced }: Count): Pick<BudgetUse, "uncertain" | "approximate" | "unpriced"> {
  return {
    ...((unpriced || approximate > 0) && { uncertain: true }),
    ...(approximate > 0 && { approximate }),
    ...(unpriced && { unpriced }),
  };
}
