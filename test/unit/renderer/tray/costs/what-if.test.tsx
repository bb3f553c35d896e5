// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { UsageDays, UsageSlice } from "../../../../../core/protocol/usage.ts";
import { WhatIf } from "../../../../../renderer/tray/costs/what-if.tsx";
import { words } from "../../../../../renderer/tray/words/index.ts";

const set = vi.fn(async (_budget: number) => {});
afterEach(() => {
  cleanup();
  set.mockClear();
});

const now = new Date(2026, 2, 14, 14, 0);
function slice(from: string, cost: number): UsageSlice {
  return {
    ...{ from, cost, model: "opus", session: "orders", folder: "/work", agentType: "claude" },
    ...{ calls: 1, input: 1, output: 1, cached: 0 },
  };
}
const hour = (at: number, cost: number) => slice(new Date(2026, 2, 14, at).toISOString(), cost);

async function answer(budget: string, days: UsageDays, slices: readonly UsageSlice[]) {
  render(<WhatIf slices={slices} days={days} now={now} current={4} set={set} />);
  await userEvent.setup().type(screen.getByRole("textbox"), budget);
  return screen.queryByRole("status")?.textContent;
}

test.each([
  ["3", /^It would have been reached at 12:30/],
  ["2,5", /^It would have been reached at 12:15/],
  // Two dollars an hour until midnight.
  ["8", /^It would be reached at about 3:00/],
  ["100", /^It would not be reached today: \$94\.00 would be left/],
])("today, a budget of %s: %s", async (budget, said) => {
  expect(await answer(budget, 1, [hour(11, 2), hour(12, 2), hour(13, 2)])).toMatch(said);
});

test.each([
  ["5", "It would have been reached on 2 of 3 days with use; $4.00 were spent beyond it."],
  ["50", "It would have been reached on none of 3 days with use."],
  ["much", undefined],
])("of several days, a budget of %s: %s", async (budget, said) => {
  const days = [slice("2026-03-12", 4), slice("2026-03-12", 3), slice("2026-03-13", 1), slice("2026-03-14", 7)];
  expect(await answer(budget, 7, days)).toBe(said);
});

test("a budget that can be read in two ways is not tried; both ways are said", async () => {
  expect(await answer("1.000", 1, [])).toBe(words.costs.budgets.ambiguous("1.000", "1000", "1"));
  expect(screen.queryByRole("button", { name: words.costs.whatIf.set })).toBeNull();
});

test("a tried budget is set once, however often its button is pressed while the answer is on its way", async () => {
  set.mockReturnValueOnce(new Promise(() => undefined));
  await answer("7,5", 1, []);
  const button = screen.getByRole("button", { name: words.costs.whatIf.set });
  const user = userEvent.setup();
  await user.click(button);
  await user.click(button);
  expect(set.mock.calls).toEqual([[7.5]]);
  expect(button.getAttribute("aria-disabled")).toBe("true");
});

test("a tried budget is set by a button, which is not there for the one that is set", async () => {
  await answer("4", 1, []);
  expect(screen.queryByRole("button", { name: words.costs.whatIf.set })).toBeNull();
  cleanup();
  await answer("7,5", 1, []);
  await userEvent.setup().click(screen.getByRole("button", { name: words.costs.whatIf.set }));
  expect(set.mock.calls).toEqual([[7.5]]);
});
