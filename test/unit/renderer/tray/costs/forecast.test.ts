import { expect, test } from "vitest";
import { dayCourse } from "../../../../../renderer/tray/costs/forecast.ts";
import { partsByAgent } from "../../../../../renderer/tray/now/today.tsx";

const at = (hour: number, minute = 0) => new Date(2026, 2, 14, hour, minute);
const slice = (hour: number, cost: number) => ({ from: at(hour).toISOString(), cost });

test("the forecast goes on at the pace of the last three hours until midnight", () => {
  const { points, forecast, midnight } = dayCourse([slice(8, 10), slice(18, 1), slice(20, 2)], at(20, 30));
  // 3 dollars in the three and a half hours since 17:00, for three and a half hours more.
  expect(forecast).toBeCloseTo(13 + 3);
  expect(midnight).toBe(new Date(2026, 2, 15).getTime());
  expect(points.map(({ cost }) => cost)).toEqual([0, 10, 11, 13]);
  expect(points.at(-1)?.at).toBe(at(20, 30).getTime());
});

test("a use of less than half an hour has no forecast, and neither has a day without use", () => {
  expect(dayCourse([slice(9, 1)], at(9, 29)).forecast).toBeUndefined();
  expect(dayCourse([slice(9, 1)], at(9, 30)).forecast).toBeCloseTo(1 + 2 * 14.5);
  expect(dayCourse([], at(9))).toMatchObject({ points: [], forecast: undefined });
  expect(dayCourse([slice(9, 0)], at(12)).points).toEqual([]);
});

test("an agent that stopped long ago adds nothing, and hours of another day do not count", () => {
  const yesterday = { from: new Date(2026, 2, 13, 23).toISOString(), cost: 99 };
  const { points, forecast } = dayCourse([yesterday, slice(8, 4)], at(15));
  expect(forecast).toBeCloseTo(4);
  expect(points.at(-1)?.cost).toBe(4);
});

test("the parts of a day are by agent, the most expensive first, and three at most", () => {
  const used = (agentType: string, cost: number) => ({ agentType, cost });
  expect(partsByAgent([used("a", 1), used("b", 2), used("a", 3), used("c", 0)])).toEqual([
    { name: "a", cost: 4 },
    { name: "b", cost: 2 },
  ]);
  const all = partsByAgent([used("a", 4), used("b", 3), used("c", 2), used("d", 1)]);
  expect(all.map(({ cost }) => cost)).toEqual([4, 3, 3]);
});
