import { expect, onTestFinished, test, vi } from "vitest";
import type { UsageSlice } from "../../../../../core/protocol/usage.ts";
import { chartData } from "../../../../../renderer/tray/costs/chart-data.ts";
import { words } from "../../../../../renderer/tray/words/index.ts";
import { speak } from "../../../../../renderer/ui/language.ts";

const now = new Date(2026, 2, 14, 10, 30);
const slice = (from: string, model: string, cost: number, session = "api"): UsageSlice => ({
  from,
  model,
  session,
  folder: "/work",
  agentType: "claude",
  calls: 1,
  input: 1,
  output: 1,
  cached: 0,
  cost,
});
const hour = (at: number) => new Date(2026, 2, 14, at).toISOString();

test("today's hours are cumulative, and every hour from the first to now has a row", () => {
  const { series, rows } = chartData([slice(hour(8), "a", 1), slice(hour(9), "b", 3), slice(hour(9), "a", 1)], {
    days: 1,
    by: "model",
    now,
  });
  expect(series).toEqual(["b", "a"]);
  expect(rows.map(({ at }) => at.getHours())).toEqual([8, 9, 10]);
  expect(rows.map(({ costs }) => costs)).toEqual([
    [0, 1],
    [3, 2],
    [3, 2],
  ]);
});

test("an hour that the clock shows twice has two rows, and use of a relay whose hours begin later is in the hour that it began in", () => {
  const zone = process.env.TZ;
  process.env.TZ = "Europe/Berlin";
  try {
    const used = (at: string) => slice(`2026-10-25T${at}:00.000Z`, "a", 1);
    const at = new Date("2026-10-25T02:10:00Z");
    const { rows } = chartData([used("00:00"), used("01:30"), used("02:00")], { days: 1, by: "model", now: at });
    expect(rows.map((row) => [row.at.getHours(), row.costs[0]])).toEqual([
      [2, 1],
      [2, 2],
      [3, 3],
    ]);
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test("with a forecast, the hours to midnight show what is expected on top", () => {
  const at = new Date(2026, 2, 14, 21, 30);
  const { rows } = chartData([slice(hour(20), "a", 4)], { days: 1, by: "model", now: at, forecast: 6 });
  expect(rows.map(({ at, costs, expected }) => [at.getHours(), costs, expected])).toEqual([
    [20, [4], undefined],
    [21, [4], undefined],
    [22, [4], 1],
    [23, [4], 2],
  ]);
});

test.each([
  ["2026-03-14", 7, 8],
  ["2026-03-01", 14, 1],
  ["2026-02-13", 30, 13],
])("a chart of 30 days begins with the first use, %s, and has a week at least", (from, count, first) => {
  const { rows } = chartData([slice(from, "a", 1)], { days: 30, by: "model", now });
  expect([rows.length, rows[0]?.at.getDate()]).toEqual([count, first]);
});

test.each([
  ["agent", "claude"],
  ["model", "a"],
  ["session", "api"],
  ["folder", "/work"],
] as const)("costs are summed by %s", (by, name) => {
  expect(chartData([slice("2026-03-14", "a", 1)], { days: 7, by, now }).series).toEqual([name]);
});

test("days are not cumulative, use local dates, and include days without usage", () => {
  const { rows } = chartData([slice("2026-03-08", "a", 2), slice("2026-03-14", "a", 5)], { days: 7, by: "model", now });
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
  expect(chartData([slice("2026-03-14", "a", 1, "")], { days: 7, by: "session", now }).series).toEqual([
    "closed sessions",
  ]);
  const many = ["a", "b", "c", "d", "e", "f"].map((model, at) => slice("2026-03-14", model, 10 - at));
  const { series, rows } = chartData(many, { days: 7, by: "model", now });
  expect(series).toEqual(["a", "b", "c", "d", words.costs.otherSeries]);
  expect(rows.at(-1)?.costs).toEqual([10, 9, 8, 7, 11]);
});

test("what sums up the rest has a name in the user's language, and is apart from a model of that name", async () => {
  vi.stubGlobal("document", { documentElement: { lang: "en" } });
  onTestFinished(async () => {
    await speak({ language: "en", locale: undefined });
    vi.unstubAllGlobals();
  });
  await speak({ language: "de", locale: undefined });
  const models = ["Übrige", "b", "c", "d", "e", "f"].map((model, at) => slice("2026-03-14", model, 10 - at));
  const { series, sums } = chartData(models, { days: 7, by: "model", now });
  expect(series).toEqual(["Übrige", "b", "c", "d", "Übrige"]);
  expect(sums).toEqual([10, 9, 8, 7, 11]);
});
