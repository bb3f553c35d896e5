import type { budgetOperations } from "../../../core/operations/budgets.ts";
import type { priceOperations } from "../../../core/operations/prices.ts";
import { type Budget, type BudgetKey, type BudgetName, subjectProblem } from "../../../core/protocol/budgets.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { localMidnight } from "../../../core/protocol/usage.ts";
import type { Budgets } from "../budgets/budgets.ts";
import type { Governor } from "../budgets/governor.ts";
import type { Handlers } from "../calls/calls.ts";
import type { AgentsPort } from "../session/ports.ts";

/** Agents' clocks may be a little ahead. */
const CLOCK_SLACK_MS = 60_000;

interface BudgetHandlersOptions {
  readonly budgets: Pick<Budgets, "limits" | "setLimits" | "set" | "remove">;
  readonly governor: Pick<Governor, "list">;
  readonly agents: Pick<AgentsPort, "usageHistory" | "windows" | "details">;
}

export function budgetHandlers({
  budgets,
  governor,
  agents,
}: BudgetHandlersOptions): Handlers<keyof typeof budgetOperations> {
  const overview = () => ({ ...budgets.limits(), budgets: governor.list() });
  return {
    getBudgets: overview,
    setBudgets(limits) {
      budgets.setLimits(limits);
      return budgets.limits();
    },
    setBudget(wanted) {
      const setting = { ...wanted, ...keyOf(wanted) };
      const problem = subjectProblem(setting);
      if (problem !== undefined) {
        throw new RemoteError("invalid_params", `subject: ${problem}, got ${JSON.stringify(setting.subject)}.`);
      }
      if (setting.unit === "percent" && setting.limit > 100) {
        throw new RemoteError("invalid_params", `limit: expected at most 100 percent, got ${setting.limit}.`);
      }
      budgets.set(setting);
      const shown = overview();
      return { ...shown, ...noteOn(setting, shown.budgets) };
    },
    removeBudget(name) {
      const key = keyOf(name);
      if (!budgets.remove(key)) {
        const which = key.subject === "" ? "" : ` for ${key.subject}`;
        throw new RemoteError("unknown_budget", `There is no budget in ${key.unit} of the scope ${key.scope}${which}.`);
      }
      return overview();
    },
    getQuotaWindows: () => [...agents.windows()],
    getAgentDetails: ({ agentSession }, { session, caller: { account } }) =>
      session.budgets.read(account, () => agents.details(session.id, agentSession)),
    getUsage({ days, by }) {
      const now = new Date();
      const since = localMidnight(now);
      since.setDate(since.getDate() - (days - 1));
      return [...agents.usageHistory(since, new Date(now.getTime() + CLOCK_SLACK_MS), by)];
    },
  };
}

export function priceHandlers(
  agents: Pick<AgentsPort, "prices" | "updatePrices">,
): Handlers<keyof typeof priceOperations> {
  return {
    getPrices: () => agents.prices(),
    updatePrices({ list }) {
      agents.updatePrices(list);
      return agents.prices();
    },
  };
}

/** A subject that was mistyped looks like one that is still to come. */
function noteOn({ scope, subject, unit }: BudgetKey, all: readonly Budget[]): { note?: string } {
  const set = all.find((one) => one.scope === scope && one.subject === subject && one.unit === unit);
  if (subject === "" || set === undefined || set.uses.length > 0) return {};
  return {
    note: `Nothing counts against this budget now: no agent was seen with the ${scope} ${subject}. Check it if one should have been.`,
  };
}

/** @throws RemoteError `invalid_params` for a unit that the scope does not have */
function keyOf({ scope, subject, unit = scope === "window" ? "percent" : "dollars" }: BudgetName): BudgetKey {
  if ((scope === "window") !== (unit === "percent")) {
    throw new RemoteError("invalid_params", `unit: a budget of the scope ${scope} is not in ${unit}.`);
  }
  return { scope, subject, unit };
}
