import type { budgetOperations } from "../../../core/operations/budgets.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { localMidnight } from "../../../core/protocol/usage.ts";
import type { Budgets } from "../budgets/budgets.ts";
import type { Governor } from "../budgets/governor.ts";
import type { AgentsPort } from "../session/ports.ts";
import type { Handlers } from "./operations.ts";

/** Agents' clocks may be a little ahead. */
const CLOCK_SLACK_MS = 60_000;

interface BudgetHandlersOptions {
  readonly budgets: Budgets;
  readonly governor: Governor;
  readonly agents: Pick<AgentsPort, "usage">;
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
    setBudget(setting) {
      if (setting.scope === "day" && setting.subject !== "") {
        throw new RemoteError("invalid_params", "subject: a budget of the scope day is for all sessions together.");
      }
      budgets.set(setting);
      return overview();
    },
    removeBudget(key) {
      if (!budgets.remove(key)) {
        const which = key.subject === "" ? "" : ` for ${key.subject}`;
        throw new RemoteError("unknown_budget", `There is no budget in ${key.unit} of the scope ${key.scope}${which}.`);
      }
      return overview();
    },
    getUsage({ days, by }) {
      const now = new Date();
      const since = localMidnight(now);
      since.setDate(since.getDate() - (days - 1));
      return [...agents.usage(since, new Date(now.getTime() + CLOCK_SLACK_MS), by)];
    },
  };
}
