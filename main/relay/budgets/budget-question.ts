import type { BudgetSetting, BudgetUnit } from "../../../core/protocol/budgets.ts";
import { unreachable } from "../../../core/protocol/errors.ts";
import type { QuestionOption } from "../../../core/protocol/questions.ts";
import { describeWindow } from "../../../core/protocol/quotas.ts";
import type { RelayQuestion } from "../questions/questions-options.ts";
import { type AgentPlace, type Count, holdingPart } from "./spending.ts";

/** By how much the answer `more` raises a limit. */
export const MORE = { dollars: 5, tokens: 1_000_000, percent: 5 } as const satisfies Record<BudgetUnit, number>;

const MORE_LABELS = {
  dollars: `${MORE.dollars} dollars`,
  tokens: `${MORE.tokens.toLocaleString("en")} tokens`,
  percent: `${MORE.percent}%`,
} as const satisfies Record<BudgetUnit, string>;

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
  const options: QuestionOption[] = [
    { id: "more", label: `Allow ${MORE_LABELS[setting.unit]} more`, key: "m" },
    ...(canStop ? [{ id: "stop", label: "Stop the turn", key: "s" }] : []),
    { id: "run", label: "Let it run", key: "r" },
  ];
  const { shellId, agentType, sessionId: agentSessionId } = place;
  return {
    shellId,
    agentType,
    agentSessionId,
    kind: "choice",
    title: `${nameOf(setting, count)} ${setting.scope === "window" ? "has reached its limit" : "is spent"}`,
    text: `${describeSpent(setting, count, limit)} Automated input is held until this is answered; what you type is not.`,
    options,
    risk: { level: "medium", reasons: [setting.scope === "window" ? "uses up a quota" : "spends money"] },
    rule: `budget/${setting.scope}`,
  };
}

/** A sentence such as "Today's budget is spent: $5.10 of $5.00." */
export function describeSpent(setting: BudgetSetting, count: Count, limit: number): string {
  const { unit } = setting;
  const [spent, most] = [formatAmount(unit, holdingPart(setting, count)), formatAmount(unit, limit)];
  if (setting.scope === "window")
    return `${nameOf(setting, count)} has reached its limit: ${spent} are used, and the limit is ${most}.`;
  return [`${nameOf(setting, count)} is spent: ${spent} of ${most}.`, ...describeDoubts(setting, count)].join(" ");
}

/** Sentences on the parts of a sum that are not certain. */
function describeDoubts({ atLimit, unit }: BudgetSetting, { approximate, unpriced }: Count): string[] {
  const about = formatAmount(unit, approximate);
  const isApart = atLimit === "hold-certain";
  return [
    ...(approximate > 0
      ? [`About ${about} ${isApart ? "more" : "of it"} was priced as a similar model, which the price list knows.`]
      : []),
    ...(unpriced ? ["Calls of models without a price are not in it; a budget in tokens counts them, too."] : []),
  ];
}

export function formatAmount(unit: BudgetUnit, amount: number): string {
  if (unit === "percent") return `${Math.round(amount * 10) / 10}%`;
  if (unit === "tokens") return `${Math.round(amount).toLocaleString("en")} tokens`;
  return amount.toLocaleString("en", { style: "currency", currency: "USD" });
}

function nameOf({ scope }: BudgetSetting, { of, window }: Count): string {
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
    case "window":
      return `The ${window === undefined ? "window" : `${describeWindow(window)} of ${window.agentType}`}`;
    default:
      return unreachable(scope);
  }
}
