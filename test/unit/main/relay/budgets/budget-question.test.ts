import { describe, expect, test } from "vitest";
import type { BudgetSetting } from "../../../../../core/protocol/budgets.ts";
import { SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import { describeSpent, formatAmount, questionOf } from "../../../../../main/relay/budgets/budget-question.ts";
import type { Count } from "../../../../../main/relay/budgets/spending.ts";

const place = {
  session: SessionId.parse("session-1"),
  shellId: ShellId.parse(3),
  agentType: "claude",
  sessionId: "a-1",
};
const window = {
  ...{ agentType: "claude", account: "/home/one", window: "5h", minutes: 300, usedPercent: 92, resetsAt: null },
  at: "2026-03-14T10:00:00.000Z",
};
const setting = (scope: BudgetSetting["scope"], unit: BudgetSetting["unit"] = "dollars"): BudgetSetting => ({
  ...{ scope, subject: "", unit, limit: 5, atLimit: "hold" },
});
const count = (of: string, spent: number, more: Partial<Count> = {}): Count => ({
  ...{ of, spent, approximate: 0, unpriced: false, agents: [place] },
  ...more,
});

describe("an amount", () => {
  test.each([
    ["dollars", 5, "$5.00"],
    ["dollars", 1234.567, "$1,234.57"],
    ["tokens", 1_000_000, "1,000,000 tokens"],
    ["tokens", 12.6, "13 tokens"],
    ["percent", 92, "92%"],
    ["percent", 92.44, "92.4%"],
    ["percent", 92.45, "92.5%"],
  ] as const)("in %s of %d is %s", (unit, amount, text) => {
    expect(formatAmount(unit, amount)).toBe(text);
  });
});

describe("what is spent", () => {
  test.each([
    ["agent", "a-1", "The budget of agent session a-1 is spent: $5.10 of $5.00."],
    ["shell", "session-1/3", "The budget of shell 3 is spent: $5.10 of $5.00."],
    ["session", "session-1", "The budget of this session is spent: $5.10 of $5.00."],
    ["day", "2026-03-14", "Today's budget is spent: $5.10 of $5.00."],
    ["model", "2026-03-14 opus 5", "Today's budget of opus 5 is spent: $5.10 of $5.00."],
  ] as const)("of the scope %s names what counts together", (scope, of, text) => {
    expect(describeSpent(setting(scope), count(of, 5.1), 5)).toBe(text);
  });

  test("says what of it is not certain, and offers a budget in tokens where a call had no price", () => {
    const doubtful = count("2026-03-14", 5.1, { approximate: 2, unpriced: true });
    const tokens = "Calls of models without a price are not in it; a budget in tokens counts them, too.";
    expect(describeSpent(setting("day"), doubtful, 5)).toBe(
      `Today's budget is spent: $5.10 of $5.00. About $2.00 of it was priced as a similar model, which the price list knows. ${tokens}`,
    );
    const certain = { ...setting("day"), atLimit: "hold-certain" } as const;
    expect(describeSpent(certain, doubtful, 3)).toBe(
      `Today's budget is spent: $3.10 of $3.00. About $2.00 more was priced as a similar model, which the price list knows. ${tokens}`,
    );
  });

  test("of a window names the window and its agents, also where the window is not known any more", () => {
    const percent = setting("window", "percent");
    expect(describeSpent(percent, count("claude 5h /home/one", 92, { window }), 90)).toMatch(
      /^The .*5.* of claude has reached its limit: 92% are used, and the limit is 90%\.$/,
    );
    expect(describeSpent(percent, count("claude 5h /home/one", 92), 90)).toMatch(/^The window has reached its limit/);
  });
});

describe("the question at the limit", () => {
  const asked = { setting: setting("day"), count: count("2026-03-14", 5.1), limit: 5, place };

  test("offers more, to stop the turn and to let it run", () => {
    expect(questionOf({ ...asked, canStop: true })).toEqual({
      ...{ shellId: 3, agentType: "claude", agentSessionId: "a-1", kind: "choice" },
      title: "Today's budget is spent",
      text: "Today's budget is spent: $5.10 of $5.00. Automated input is held until this is answered; what you type is not.",
      options: [
        { id: "more", label: "Allow 5 dollars more", key: "m" },
        { id: "stop", label: "Stop the turn", key: "s" },
        { id: "run", label: "Let it run", key: "r" },
      ],
      risk: { level: "medium", reasons: ["spends money"] },
      rule: "budget/day",
    });
  });

  test("does not offer to stop where no key does", () => {
    expect(questionOf({ ...asked, canStop: false }).options.map(({ id }) => id)).toEqual(["more", "run"]);
  });

  test("offers more in the budget's unit", () => {
    const more = (unit: BudgetSetting["unit"]) =>
      questionOf({ ...asked, setting: setting("agent", unit), canStop: false }).options[0]?.label;
    expect([more("tokens"), more("percent")]).toEqual(["Allow 1,000,000 tokens more", "Allow 5% more"]);
  });

  test("of a window is about a quota", () => {
    const question = questionOf({
      ...{ setting: setting("window", "percent"), count: count("claude 5h", 92, { window }), limit: 90, place },
      canStop: false,
    });
    expect(question.title).toMatch(/ of claude has reached its limit$/);
    expect([question.risk.reasons, question.rule]).toEqual([["uses up a quota"], "budget/window"]);
  });
});
