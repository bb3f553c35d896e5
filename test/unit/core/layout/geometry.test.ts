import { describe, expect, test } from "vitest";
import { toggleMaximize } from "../../../../core/layout/focus.ts";
import { largestTile, rectanglesOf } from "../../../../core/layout/geometry.ts";
import { buildGrid } from "../../../../core/layout/grid.ts";
import { emptyWorkspace, tilesOf } from "../../../../core/layout/workspace.ts";
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

describe("largestTile", () => {
  test("is the front of the largest group, to be split along its longer side", () => {
    expect(largestTile(workspace)).toEqual({ key: 2, direction: "horizontal" });
    expect(largestTile(workspace, 0.5)).toEqual({ key: 2, direction: "vertical" });
  });

  test("is the first in reading order among equals", () => {
    const cells = [[1], [2], [3], [4], [5], [6], [7], [8], [9]].map((cell) => cell.map(key));
    expect(largestTile(page(buildGrid(3, 3, cells)))?.key).toBe(1);
    expect(largestTile(page(stacked(leaf(9), beside(leaf(2), leaf(1)), 1 / 3)))?.key).toBe(9);
  });

  test("assumes an aspect ratio of 16:9 by default", () => {
    expect(largestTile(page(beside(leaf(1), leaf(2))))?.direction).toBe("vertical");
    expect(largestTile(page(beside(leaf(1), leaf(2))), 2)?.direction).toBe("horizontal");
  });

  test("is null in an empty workspace", () => {
    expect(largestTile(emptyWorkspace("page"))).toBeNull();
  });
});
