import type { budgetOperations } from "../../../core/operations/budgets.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { Budgets } from "../budgets/budgets.ts";
import type { Governor } from "../budgets/governor.ts";
import type { Handlers } from "./operations.ts";

interface BudgetHandlersOptions {
  readonly budgets: Budgets;
  readonly governor: Governor;
}

export function budgetHandlers({ budgets, governor }: BudgetHandlersOptions): Handlers<keyof typeof budgetOperations> {
  const overview = () => ({ ...budgets.limits(), budgets: governor.list() });
  return {
    getBudgets: overview,
    setBudgets(limits) {
      budgets.setLimits(limits);
      return budgets.limits();
    },
    setBudget(setting) {
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
  };
}
