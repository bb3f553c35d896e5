import { expect, test } from "vitest";
import { benchTable } from "../../../../tools/bench/bench-table.mjs";

test("a line a figure, in columns; a note stands where there is no figure", () => {
  const table = benchTable([
    {
      name: "list",
      value: 4000,
      unit: "req/s",
      baseline: { name: "bare", value: 5000 },
      ratio: 0.8,
      goal: "at least 0.7 times",
      ok: true,
    },
    { name: "memory", value: 40, unit: "MB", goal: "under 32 MB", ok: false },
    { name: "beside kitty", value: null, unit: "", note: "not reachable here: it has a very long sentence for it" },
  ]);
  expect(table.split("\n")).toEqual([
    "figure        value       baseline   ratio  goal",
    "list          4000 req/s  bare 5000  0.8 x  at least 0.7 times  met",
    "memory        40 MB                         under 32 MB         missed",
    "beside kitty  -           not reachable here: it has a very long sentence for it",
    "",
  ]);
});
