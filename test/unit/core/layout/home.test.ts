import { describe, expect, test } from "vitest";
import { closeTile } from "../../../../core/layout/close-tile.ts";
import { homeOf, withTilesBack } from "../../../../core/layout/home.ts";
import { invariantViolations } from "../../../../core/layout/invariants.ts";
import { type Home, maxTiles, type Workspace } from "../../../../core/layout/layout.ts";
import { tilesIn, toLayoutTree } from "../../../../core/layout/tree.ts";
import { key } from "./arbitrary-workspace.ts";
import { beside, leaf, page, stacked } from "./sketch.ts";

/** Takes a tile out of a workspace, as `breakTile` does, and puts it back. */
function thereAndBack(workspace: Workspace, tile: number, meanwhile = (rest: Workspace) => rest): Workspace {
  const home = homeOf(workspace.root, key(tile));
  if (home === undefined) throw new Error("the tile is alone");
  return withTilesBack(meanwhile(closeTile(workspace, key(tile))), page(leaf(tile)), home);
}

describe("a tile that comes back", () => {
  test.each([
    ["the left half", beside(leaf(1), stacked(leaf(2), leaf(3)), 0.3), 1],
    ["the upper half", stacked(leaf(1), beside(leaf(2), leaf(3)), 0.7), 1],
    ["the right half, within a half", beside(leaf(1), beside(stacked(leaf(2), leaf(4)), leaf(3)), 0.4), 3],
    ["a half deep within others", beside(leaf(4), stacked(leaf(5), beside(leaf(1), leaf(2), 0.3))), 1],
    ["the lower half", stacked(beside(leaf(1), leaf(2)), leaf(3), 0.6), 3],
  ])("takes %s again, with its size", (_what, root, tile) => {
    const workspace = page(root);
    const back = thereAndBack(workspace, tile);
    expect(back.root).toEqual(root);
    expect(back.recent[0]).toBe(tile);
    expect(invariantViolations(back)).toEqual([]);
  });

  test.each([1, 2, 3])("is tab %d of its group again, in front", (tile) => {
    const back = thereAndBack(page(leaf(1, 2, 3)), tile);
    expect(back.root).toMatchObject({ tiles: [1, 2, 3], front: tile });
    expect(invariantViolations(back)).toEqual([]);
  });

  test("does not miss what has left its home, and takes the half beside what is left of it", () => {
    const workspace = page(beside(leaf(1), stacked(leaf(2), leaf(3)), 0.3));
    const back = thereAndBack(workspace, 1, (rest) => closeTile(rest, key(2)));
    expect(back.root).toEqual(beside(leaf(1), leaf(3), 0.3));
  });

  test("brings the tiles that have joined it, in their layout", () => {
    const workspace = page(beside(leaf(1), leaf(2), 0.3));
    const home = homeOf(workspace.root, key(1));
    const rest = closeTile(workspace, key(1));
    const window = page(stacked(leaf(1), leaf(3)), [3, 1]);
    const back = home && withTilesBack(rest, window, home);
    expect(back?.root).toEqual(beside(stacked(leaf(1), leaf(3)), leaf(2), 0.3));
    expect(back?.recent).toEqual([3, 1, 2]);
    expect(tilesIn(back?.root ?? null)).toEqual([1, 3, 2]);
  });
});

test("a tile that is alone, and one that is not there, have no home", () => {
  expect(homeOf(leaf(1), key(1))).toBeUndefined();
  expect(homeOf(leaf(1), key(2))).toBeUndefined();
  expect(homeOf(null, key(1))).toBeUndefined();
});

test("a full workspace takes no more tiles", () => {
  const [first = 1, ...others] = Array.from({ length: maxTiles }, (_, index) => index + 1);
  const full = page(leaf(first, ...others));
  const home: Home = { kind: "half", tiles: [key(1)], side: "left", ratio: 0.5 };
  expect(() => withTilesBack(full, page(leaf(maxTiles + 1)), home)).toThrow(/at most/);
  expect(toLayoutTree(full.root ?? leaf(1))).toMatchObject({ kind: "leaf" });
});
