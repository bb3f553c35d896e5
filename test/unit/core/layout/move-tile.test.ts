import { describe, expect, test } from "vitest";
import { toggleMaximize } from "../../../../core/layout/focus.ts";
import { moveTile, swapTiles } from "../../../../core/layout/move-tile.ts";
import { key } from "./arbitrary-workspace.ts";
import { beside, leaf, page, stacked } from "./sketch.ts";

describe("swapTiles", () => {
  test("exchanges positions and leaves the focus on its key", () => {
    const workspace = page(beside(leaf(1), stacked(leaf(2), leaf(3))));
    expect(swapTiles(workspace, key(1), key(3))).toEqual(page(beside(leaf(3), stacked(leaf(2), leaf(1))), [1, 2, 3]));
  });

  test("works across tab groups; the focused tile comes to the front of its new group", () => {
    const workspace = page(beside(leaf(1), leaf(2, 3)));
    expect(swapTiles(workspace, key(1), key(3)).root).toEqual(beside(leaf(3), { ...leaf(2, 1), front: key(1) }));
  });

  test("reorders tabs of one group", () => {
    expect(swapTiles(page(leaf(1, 2, 3)), key(1), key(3)).root).toEqual({ ...leaf(3, 2, 1), front: key(1) });
  });

  test("restores a maximized tile, even when swapped with itself", () => {
    const workspace = page(beside(leaf(1), leaf(2)));
    expect(swapTiles(toggleMaximize(workspace, key(1)), key(2), key(2))).toEqual(workspace);
  });

  test("refuses a tile that is not there", () => {
    expect(() => swapTiles(page(leaf(1)), key(1), key(2))).toThrow(expect.objectContaining({ code: "unknown_tile" }));
  });
});

describe("moveTile", () => {
  const workspace = page(beside(leaf(1), stacked(leaf(2), leaf(3))));

  test.each([
    ["left", beside(leaf(1), leaf(2))],
    ["right", beside(leaf(2), leaf(1))],
    ["up", stacked(leaf(1), leaf(2))],
    ["down", stacked(leaf(2), leaf(1))],
  ] as const)("puts the tile at the %s of the target, and its sibling takes the old place", (place, expected) => {
    expect(moveTile(workspace, key(1), key(2), place)).toEqual(page(stacked(expected, leaf(3)), [1, 2, 3]));
  });

  test("inserts the tile as the front tab directly after the target", () => {
    const { root } = moveTile(page(beside(leaf(1), leaf(2, 3))), key(1), key(2), "tab");
    expect(root).toEqual({ ...leaf(2, 1, 3), front: key(1) });
  });

  test("splits the group when it moves beside its own tab-mate", () => {
    const { root } = moveTile(page(leaf(1, 2)), key(2), key(1), "left");
    expect(root).toEqual(beside(leaf(2), leaf(1)));
  });

  test("takes the target's index among its own tab-mates, in both directions", () => {
    const tabs = page(leaf(1, 2, 3));
    expect(moveTile(tabs, key(1), key(3), "tab").root).toMatchObject({ tiles: [2, 3, 1] });
    expect(moveTile(tabs, key(3), key(1), "tab").root).toMatchObject({ tiles: [3, 1, 2] });
  });

  test("refuses to move a tile to itself", () => {
    expect(() => moveTile(workspace, key(1), key(1), "tab")).toThrow(
      expect.objectContaining({ code: "invalid_params", message: expect.stringContaining("params.target") }),
    );
  });
});
