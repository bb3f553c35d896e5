import { describe, expect, test } from "vitest";
import { toggleMaximize } from "../../../../core/layout/focus.ts";
import { rectanglesOf } from "../../../../core/layout/geometry.ts";
import { tilesOf } from "../../../../core/layout/workspace.ts";
import { key } from "./arbitrary-workspace.ts";
import { beside, leaf, page, stacked } from "./sketch.ts";

const workspace = page(beside(leaf(1), stacked(leaf(2, 3), leaf(4), 0.75), 0.25));

describe("rectanglesOf", () => {
  test("gives fractions from the top left; a tile behind another has its group's rectangle", () => {
    expect(rectanglesOf(workspace)).toEqual([
      { key: 1, x: 0, y: 0, w: 0.25, h: 1 },
      { key: 2, x: 0.25, y: 0, w: 0.75, h: 0.75 },
      { key: 3, x: 0.25, y: 0, w: 0.75, h: 0.75 },
      { key: 4, x: 0.25, y: 0.75, w: 0.75, h: 0.25 },
    ]);
  });

  test("gives a maximized group the whole workspace, and the others the place they return to", () => {
    const places = rectanglesOf(toggleMaximize(workspace, key(3)));
    expect(places.slice(1, 3)).toEqual([
      { key: 2, x: 0, y: 0, w: 1, h: 1 },
      { key: 3, x: 0, y: 0, w: 1, h: 1 },
    ]);
    expect(places.filter((place) => place.key === 1 || place.key === 4)).toEqual(
      rectanglesOf(workspace).filter((place) => place.key === 1 || place.key === 4),
    );
  });
});

describe("tilesOf", () => {
  test("reads row by row, whatever the order of the tree", () => {
    const columns = beside(stacked(leaf(1), leaf(2)), stacked(leaf(3, 4), leaf(5)));
    expect(tilesOf(page(columns))).toEqual([1, 3, 4, 2, 5]);
  });

  test("treats heights that differ only by rounding as one row", () => {
    const third = stacked(leaf(1), stacked(leaf(2), leaf(3)), 1 / 3);
    const other = stacked(stacked(leaf(4), leaf(5)), leaf(6), 2 / 3);
    expect(tilesOf(page(beside(third, other)))).toEqual([1, 4, 2, 5, 3, 6]);
  });
});
