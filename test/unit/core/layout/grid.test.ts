import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toggleMaximize } from "../../../../core/layout/focus.ts";
import { boxesOf } from "../../../../core/layout/geometry.ts";
import { buildGrid, resetLayout } from "../../../../core/layout/grid.ts";
import { emptyWorkspace, tilesOf, withLayout } from "../../../../core/layout/workspace.ts";
import { key, runs } from "./arbitrary-workspace.ts";
import { beside, leaf, page, stacked } from "./sketch.ts";

describe("resetLayout", () => {
  test("puts the groups in reading order into a balanced grid; tab groups and focus stay", () => {
    const chain = beside(leaf(1), stacked(leaf(2), beside(leaf(3, 4), leaf(5), 0.8), 0.3), 0.9);
    const reset = resetLayout(toggleMaximize(page(chain), key(5)));
    expect(reset.root).toEqual(stacked(beside(leaf(1), leaf(2)), beside(leaf(3, 4), leaf(5))));
    expect(reset).toMatchObject({ maximized: null, recent: [5, 1, 2, 3, 4] });
  });

  test.each([
    [1, [1]],
    [2, [2]],
    [3, [2, 1]],
    [5, [3, 2]],
    [7, [3, 2, 2]],
    [12, [4, 4, 4]],
    [40, [7, 7, 7, 7, 6, 6]],
  ])("arranges %i groups in rows of %j", (count, rows) => {
    const groups = Array.from({ length: count }, (_, index) => [key(index + 1)]);
    const reset = resetLayout(page(buildGrid(count, 1, groups)));
    const tops = boxesOf(reset.root).map(({ top }) => top);
    expect([...new Set(tops)].map((top) => tops.filter((other) => other === top).length)).toEqual(rows);
  });

  test.each([
    ["columns", beside(leaf(1), beside(leaf(2), leaf(3)), 1 / 3)],
    ["rows", stacked(leaf(1), stacked(leaf(2), leaf(3)), 1 / 3)],
    ["main-left", beside(leaf(2), stacked(leaf(1), leaf(3)), 0.6)],
    ["main-top", stacked(leaf(2), beside(leaf(1), leaf(3)), 0.6)],
  ] as const)("lays the groups out as %s; the main one is the focused one", (shape, root) => {
    const chain = beside(leaf(1), beside(leaf(2), leaf(3)), 0.9);
    expect(resetLayout(page(chain, [2, 1, 3]), shape).root).toEqual(root);
    expect(resetLayout(page(leaf(1, 2)), shape).root).toEqual(leaf(1, 2));
  });

  test("leaves an empty workspace as it is", () => {
    expect(resetLayout(emptyWorkspace("page"))).toEqual(emptyWorkspace("page"));
  });
});

describe("buildGrid", () => {
  test("fills row by row, with the first tile of each cell in front", () => {
    const cells = [[1, 2], [3], [4], [5]].map((cell) => cell.map(key));
    expect(buildGrid(2, 2, cells)).toEqual(stacked(beside(leaf(1, 2), leaf(3)), beside(leaf(4), leaf(5))));
  });

  test("gives equal cells in reading order for every size up to 16x16", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 1, max: 16 }), (columns, rows) => {
        const cells = Array.from({ length: columns * rows }, (_, index) => [key(index + 1)]);
        const root = buildGrid(columns, rows, cells);
        for (const { left, top, right, bottom } of boxesOf(root)) {
          expect(right - left).toBeCloseTo(1 / columns, 9);
          expect(bottom - top).toBeCloseTo(1 / rows, 9);
        }
        expect(tilesOf(withLayout(emptyWorkspace("page"), root))).toEqual(cells.flat());
      }),
      runs,
    );
  });

  test("refuses a number of cells that is not the grid's, and an empty cell", () => {
    expect(() => buildGrid(2, 2, [[key(1)]])).toThrow("a grid of 2x2 takes 4 cells, got 1");
    expect(() => buildGrid(1, 1, [[]])).toThrow(RangeError);
  });
});
