import type { AgentCost, AgentSession, AgentStatus, ToldUsage } from "../../core/protocol/agent-records.ts";
import type { SessionId } from "../../core/protocol/ids.ts";
import type { Accounts } from "./accounts.ts";
import { addUsage, dollars, type ModelSum, noUsage } from "./ledger.ts";
import type { CurrentPriceList } from "./price-list.ts";
import type { AgentRun, AgentSessionKey, UsageStore } from "./usage-store.ts";

/** An agent session seen in a session's shells, with its current status. */
export interface KnownRun {
  readonly run: AgentRun;
  readonly status: AgentStatus;
  /** Its turn goes on without a terminal. */
  readonly detached?: true;
}

/** Lists every agent session once: where it runs now, otherwise where it ran last. Oldest first. */
export function knownRuns(
  session: SessionId,
  live: { runs(session: SessionId): readonly KnownRun[] },
  store: Pick<UsageStore, "runs">,
): readonly KnownRun[] {
  const known = new Map<string, KnownRun>();
  for (const run of store.runs(session)) {
    const key = runKey(run);
    const earlier = known.get(key)?.run;
    if (earlier === undefined || earlier.lastActivityAt <= run.lastActivityAt) known.set(key, { run, status: "ended" });
  }
  for (const one of live.runs(session)) known.set(runKey(one.run), one);
  return [...known.values()].sort((one, other) => (one.run.startedAt < other.run.startedAt ? -1 : 1));
}

export function agentSessions(runs: readonly KnownRun[], accounts: Accounts): AgentSession[] {
  return runs.map(({ run, status, detached }) => ({
    sessionId: run.sessionId,
    agentType: run.agentType,
    model: run.model,
    shellId: run.shellId,
    cwd: run.cwd,
    status,
    state: status,
    startedAt: run.startedAt,
    lastActivityAt: run.lastActivityAt,
    tokenUsage: accounts.report(run).usage,
    ...(run.startedBy !== undefined && { startedBy: run.startedBy }),
    ...(detached !== undefined && { detached }),
  }));
}

/** Names an agent session among those of all kinds. */
export function runKey({ agentType, sessionId }: AgentSessionKey): string {
  return `${agentType}/${sessionId}`;
}

export function agentCost(
  runs: readonly KnownRun[],
  accounts: Accounts,
  explain:
    | {
        readonly prices: CurrentPriceList;
        readonly overrides: string | undefined;
        readonly told: (run: AgentRun) => ToldUsage | undefined;
      }
    | undefined,
): AgentCost {
  const reports = runs.map(({ run }) => ({ run, ...accounts.report(run) }));
  const models = new Map<string, ModelSum>();
  for (const sum of reports.flatMap((report) => report.models))
    models.set(sum.model, joinSums(models.get(sum.model), sum));
  const byModel = [...models.values()];
  return {
    total: reports.reduce((total, { usage }) => addUsage(total, usage), noUsage),
    byModel: byModel.map(({ model, usage }) => ({ model, ...usage })),
    agents: reports.map(({ run: { shellId, agentType, sessionId, startedBy }, usage }) => ({
      shellId,
      agentType,
      sessionId,
      ...usage,
      ...(startedBy !== undefined && { startedBy }),
    })),
    ...(explain && {
      explain: {
        prices: pricesOf(explain.prices, explain.overrides),
        models: byModel.map(({ model, calls, basis, pricedAs, usage: { approximateCost } }) => ({
          model,
          calls,
          basis,
          ...(pricedAs !== undefined && { pricedAs }),
          ...(approximateCost !== undefined && { approximateCost }),
        })),
        sessions: reports.map(({ run, session, usage }) => {
          const told = explain.told(run);
          return {
            ...session,
            ...(session.reported !== undefined && { difference: dollars(session.reported - usage.cost) }),
            ...(told !== undefined && { told }),
          };
        }),
      },
    }),
  };
}

/** The list in use, as callers see it. */
export function pricesOf({ list, version, date }: CurrentPriceList, overrides: string | undefined) {
  return { list, version, date, ageDays: daysSince(date), ...(overrides !== undefined && { overrides }) };
}

function daysSince(date: string): number {
  return Math.max(0, Math.floor((Date.now() - Date.parse(date)) / DAY_MS));
}

const DAY_MS = 24 * 3600 * 1000;

/** Keeps the less certain price basis of the two sums. */
function joinSums(one: ModelSum | undefined, other: ModelSum): ModelSum {
  if (one === undefined) return other;
  const usage = addUsage(one.usage, other.usage);
  const doubtful = other.usage.unpriced ?? (other.usage.approximate && one.usage.unpriced === undefined);
  return { ...(doubtful ? other : one), calls: one.calls + other.calls, usage };
}
