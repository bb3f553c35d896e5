import { expect, test } from "vitest";
import { bounded, compared, missing } from "../../../../../tools/bench/support/rows.ts";

const baseline = { name: "bare", value: 1000 };

test.each([
  [700, { atLeast: 0.7 }, { ratio: 0.7, goal: "at least 0.7 times", ok: true }],
  [699.9, { atLeast: 0.7 }, { value: 700, ratio: 0.7, goal: "at least 0.7 times", ok: false }],
  [2500, { within: 2.5 }, { ratio: 2.5, goal: "within 2.5 times", ok: true }],
  [2501, { within: 2.5 }, { ratio: 2.5, goal: "within 2.5 times", ok: false }],
])("%d beside 1000 with the goal %o is judged before it is rounded", (value, goal, judged) => {
  expect(compared("figure", value, "ms", baseline, goal)).toEqual({
    name: "figure",
    value,
    unit: "ms",
    baseline,
    ...judged,
  });
});

test("a figure without a goal is not judged", () => {
  expect(compared("figure", 1.23456, "ms", baseline)).toEqual({
    name: "figure",
    value: 1.23,
    unit: "ms",
    baseline,
    ratio: 0.00123,
  });
});

test("a fixed bound must be kept below", () => {
  expect(bounded("memory", 90, "MB", 90)).toEqual({
    name: "memory",
    value: 90,
    unit: "MB",
    goal: "under 90 MB",
    ok: false,
  });
  expect(bounded("memory", 89.9, "MB", 90).ok).toBe(true);
});

test("what could not be measured is neither met nor missed", () => {
  expect(missing("beside kitty", "not reachable")).toEqual({
    name: "beside kitty",
    value: null,
    unit: "",
    note: "not reachable",
  });
});
