import { expect, test } from "vitest";
import type { UsageSlice } from "../../../../core/protocol/usage.ts";
import { chartData, OTHER } from "../../../../renderer/tray/chart-data.ts";

const now = new Date(2026, 2, 14, 10, 30);
const slice = (from: string, model: string, cost: number, session = "api"): UsageSlice => ({
  from,
  model,
  session,
  agentType: "claude",
  calls: 1,
  input: 1,
  output: 1,
  cached: 0,
  cost,
});
const hour = (at: number) => new Date(2026, 2, 14, at).toISOString();

test("today's hours are cumulative, and every hour from the first to now has a row", () => {
  const { series, rows } = chartData(
    [slice(hour(8), "a", 1), slice(hour(9), "b", 3), slice(hour(9), "a", 1)],
    1,
    "model",
    now,
  );
  expect(series).toEqual(["b", "a"]);
  expect(rows.map(({ at }) => at.getHours())).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
  expect(rows.slice(4).map(({ costs }) => costs)).toEqual([
    [0, 0],
    [0, 1],
    [3, 2],
    [3, 2],
  ]);
});

test.each([
  { title: "the first hour that was used", used: 1, at: 14, first: 1, last: 14 },
  { title: "eight hours back, where less was used", used: 13, at: 14, first: 7, last: 14 },
  { title: "midnight, where there are not so many", used: 1, at: 2, first: 0, last: 2 },
])("today's chart begins with $title", ({ used, at, first, last }) => {
  const { rows } = chartData([slice(hour(used), "a", 1)], 1, "model", new Date(2026, 2, 14, at, 5));
  expect([rows[0]?.at.getHours(), rows.at(-1)?.at.getHours()]).toEqual([first, last]);
});

test("days are not cumulative, use local dates, and include days without usage", () => {
  const { rows } = chartData([slice("2026-03-08", "a", 2), slice("2026-03-14", "a", 5)], 7, "model", now);
  expect(rows.map(({ at, costs }) => [at.getDate(), costs[0]])).toEqual([
    [8, 2],
    [9, 0],
    [10, 0],
    [11, 0],
    [12, 0],
    [13, 0],
    [14, 5],
  ]);
});

test("by session it labels closed sessions and merges the cheapest series", () => {
  expect(chartData([slice("2026-03-14", "a", 1, "")], 7, "session", now).series).toEqual(["closed sessions"]);
  const many = ["a", "b", "c", "d", "e", "f"].map((model, at) => slice("2026-03-14", model, 10 - at));
  const { series, rows } = chartData(many, 7, "model", now);
  expect(series).toEqual(["a", "b", "c", "d", OTHER]);
  expect(rows.at(-1)?.costs).toEqual([10, 9, 8, 7, 11]);
});
