import { expect, test } from "vitest";
import { ReplayPlan } from "../../../../../renderer/session/search/replay-plan.ts";

test("a pause of a replay lasts a second at most, and a clock that was set back stands still", () => {
  const plan = new ReplayPlan(
    [
      [0, 10_000],
      [5, 10_400],
      [9, 3_610_400],
      [12, 1_000],
      [20, 1_500],
    ],
    30,
  );
  expect(plan.length).toBe(400 + 1000 + 0 + 500);
  expect([0, 399, 400, 1399, 1400, 1899, 1900].map((position) => plan.charactersAt(position))).toEqual([
    5, 5, 9, 9, 20, 20, 30,
  ]);
  expect([0, 400, 1400, 1900].map((position) => plan.timeAt(position))).toEqual([10_000, 10_400, 1_000, 1_500]);
  expect([0, 5, 8, 9, 29].map((character) => plan.positionOf(character))).toEqual([0, 400, 400, 1400, 1900]);
});

test("a replay without times has no length, and shows everything", () => {
  const plan = new ReplayPlan([], 7);
  expect([plan.length, plan.charactersAt(0), plan.positionOf(3)]).toEqual([0, 7, 0]);
});
