import type { BudgetSetting, BudgetUnit } from "../../../core/protocol/budgets.ts";
import { unreachable } from "../../../core/protocol/errors.ts";
import type { QuestionOption } from "../../../core/protocol/questions.ts";
import type { RelayQuestion } from "../questions/questions.ts";
import type { AgentPlace, Count } from "./spending.ts";

/** By how much the answer `more` raises a limit. */
export const MORE = { dollars: 5, tokens: 1_000_000 } as const satisfies Record<BudgetUnit, number>;

interface AskedBudget {
  readonly setting: BudgetSetting;
  readonly count: Count;
  readonly limit: number;
  /** The shell in which it is asked. */
  readonly place: AgentPlace;
  /** The agent there has keys that stop its turn. */
  readonly canStop: boolean;
}

/** The question how to go on at a budget's limit. */
export function questionOf({ setting, count, limit, place, canStop }: AskedBudget): RelayQuestion {
  const more = setting.unit === "dollars" ? `${MORE.dollars} dollars` : `${MORE.tokens.toLocaleString("en")} tokens`;
  const options: QuestionOption[] = [
    { id: "more", label: `Allow ${more} more`, key: "m" },
    ...(canStop ? [{ id: "stop", label: "Stop the turn", key: "s" }] : []),
    { id: "run", label: "Let it run", key: "r" },
  ];
  const { shellId, agentType, sessionId: agentSessionId } = place;
  return {
    shellId,
    agentType,
    agentSessionId,
    kind: "choice",
    title: `${nameOf(setting, count.of)} is spent`,
    text: `${describeSpent(setting, count, limit)} Automated input is held until this is answered; what you type is not.`,
    options,
    risk: { level: "medium", reasons: ["spends money"] },
    rule: `budget/${setting.scope}`,
  };
}

/** A sentence such as "Today's budget is spent: $5.10 of $5.00." */
export function describeSpent(setting: BudgetSetting, { of, spent }: Count, limit: number): string {
  const { unit } = setting;
  return `${nameOf(setting, of)} is spent: ${formatAmount(unit, spent)} of ${formatAmount(unit, limit)}.`;
}

export function formatAmount(unit: BudgetUnit, amount: number): string {
  if (unit === "tokens") return `${Math.round(amount).toLocaleString("en")} tokens`;
  return amount.toLocaleString("en", { style: "currency", currency: "USD" });
}

function nameOf({ scope }: BudgetSetting, of: string): string {
  switch (scope) {
    case "agent":
      return `The budget of agent session ${of}`;
    case "shell":
      return `The budget of shell ${of.slice(of.lastIndexOf("/") + 1)}`;
    case "session":
      return "The budget of this session";
    case "day":
      return "Today's budget";
    case "model":
      return `Today's budget of ${of.slice(of.indexOf(" ") + 1)}`;
    default:
      return unreachable(scope);
  }
}
