import { expect, test } from "vitest";
import { costByHour } from "../../../../core/protocol/cost-by-hour.ts";

const at = (hour: number, minute = 0) => new Date(2026, 0, 31, hour, minute);
const row = (hour: number, cost: number) => ({ from: at(hour).toISOString(), cost });

test("each hour up to the current one has what the day has cost at its end", () => {
  expect(costByHour([], at(0))).toEqual([0]);
  expect(costByHour([row(1, 2), row(1, 0.5), row(3, 1)], at(4, 30))).toEqual([0, 2.5, 2.5, 3.5, 3.5]);
});

test("use of an hour that this clock has not reached counts in the current one", () => {
  expect(costByHour([row(5, 2)], at(2))).toEqual([0, 0, 2]);
});
