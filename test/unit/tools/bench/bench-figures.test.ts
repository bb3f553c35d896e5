import { expect, test } from "vitest";
import { movedFigures, movedTable } from "../../../../tools/bench/bench-figures.mjs";

const row = (name: string, value: number | null, ratio?: number) => ({ name, value, unit: "ms", ratio });
const report = (rows: readonly object[]) => ({
  name: "start",
  at: "2026-11-22T10:00:00.000Z",
  machine: { cores: 2, processor: "one", node: "v20.20.2" },
  load: { before: 0.4, after: 1.2 },
  rows,
});

test("figures that moved by more than a tenth are named, by their ratio where both have one", () => {
  const before = [row("slower machine", 100, 2), row("slower program", 100, 2), row("plain", 100), row("gone", 1)];
  const now = [row("slower machine", 200, 2.1), row("slower program", 100, 3), row("plain", 89), row("new", 1)];
  expect(movedFigures(before, now)).toEqual([
    { name: "slower program", before: 2, now: 3, unit: "x", change: 0.5 },
    { name: "plain", before: 100, now: 89, unit: "ms", change: expect.closeTo(-0.11) },
  ]);
});

test("what could not be measured, or was nothing, has not moved", () => {
  expect(movedFigures([row("a", null), row("b", 5), row("c", 0)], [row("a", 5), row("b", null), row("c", 5)])).toEqual(
    [],
  );
});

test("what moved is printed in columns", () => {
  const lines = movedTable(report([row("first answer", 400, 4)]), report([row("first answer", 300, 3)])).split("\n");
  expect(lines).toEqual([
    "Moved by more than 10 % since 2026-11-22 (load 0.4, Node v20.20.2):",
    "figure        before  now",
    "first answer  4 x     3 x  -25 %",
    "",
  ]);
});

test("a sentence says that nothing moved, or that there is nothing to compare with", () => {
  expect(movedTable(report([row("a", 1)]), report([row("a", 1)]))).toContain("Nothing moved by more than 10 %");
  expect(movedTable(undefined, report([]))).toBe("start has no figures to compare with.\n");
});
