import { describe, expect, test } from "vitest";
import { type Layout, maxTiles } from "../../../../core/layout/layout.ts";
import { groupOf, parentOf, tilesIn, toLayoutTree } from "../../../../core/layout/tree.ts";
import { emptyWorkspace, tabGroups } from "../../../../core/layout/workspace.ts";
import { LayoutSchema, WorkspaceSchema } from "../../../../core/layout/workspace-schema.ts";
import { LayoutTree } from "../../../../core/protocol/records.ts";
import { key } from "./arbitrary-workspace.ts";
import { beside, leaf, page, stacked } from "./sketch.ts";

const workspace = page(beside(leaf(1, 2), stacked(leaf(3), leaf(4))));

describe("WorkspaceSchema", () => {
  test("accepts a valid workspace and an empty one", () => {
    expect(WorkspaceSchema.parse(structuredClone(workspace))).toEqual(workspace);
    expect(WorkspaceSchema.parse(emptyWorkspace("x"))).toEqual(emptyWorkspace("x"));
  });

  test.each([
    ["a tile in two places", { root: beside(leaf(1), leaf(1)), recent: [1, 1] }],
    ["a history without a tile", { recent: [1, 2, 3] }],
    ["a history with a stranger", { recent: [1, 2, 3, 9] }],
    ["a history that names a tile twice", { recent: [1, 2, 3, 3] }],
    ["a front that is not the last focused", { recent: [2, 1, 3, 4] }],
    ["a front from elsewhere", { root: beside({ ...leaf(1, 2), front: key(3) }, stacked(leaf(3), leaf(4))) }],
    ["a maximized tile without the focus", { maximized: 3 }],
    ["a maximized tile that is not there", { maximized: 9 }],
    ["a focus in an empty workspace", { root: null }],
    ["a ratio out of bounds", { root: beside(leaf(1, 2), stacked(leaf(3), leaf(4)), 0.95) }],
    ["a direction of its own", { root: { ...beside(leaf(1, 2), stacked(leaf(3), leaf(4))), direction: "diagonal" } }],
    ["a group without tiles", { root: { kind: "leaf", tiles: [], front: 1 } }],
    ["a key of 0", { root: { kind: "leaf", tiles: [0], front: 0 }, recent: [0] }],
    ["no tree at all", { root: undefined }],
  ])("refuses %s", (_, change) => {
    expect(WorkspaceSchema.safeParse({ ...workspace, ...change }).success).toBe(false);
  });
});

describe("LayoutSchema", () => {
  test("reports the path of an invalid node", () => {
    const faulty = beside(leaf(1), stacked(leaf(2), { ...leaf(3), tiles: [] }));
    expect(LayoutSchema.safeParse(faulty).error?.issues[0]?.path).toEqual(["second", "second", "tiles"]);
  });

  test("reads a tree as deep as a workspace allows, and refuses a deeper one without overflowing", () => {
    expect(LayoutSchema.parse(comb(maxTiles))).toEqual(comb(maxTiles));
    expect(LayoutSchema.safeParse(comb(maxTiles + 1)).success).toBe(false);
    expect(LayoutSchema.safeParse(comb(200_000)).success).toBe(false);
  });
});

test("LayoutSchema refuses a front from another group", () => {
  expect(LayoutSchema.safeParse({ ...leaf(1, 2), front: 3 }).success).toBe(false);
});

describe("queries", () => {
  test("find tiles, groups and parents", () => {
    expect(tilesIn(workspace.root)).toEqual([1, 2, 3, 4]);
    expect(groupOf(workspace.root, key(2))).toEqual(leaf(1, 2));
    expect(groupOf(workspace.root, key(9))).toBeNull();
    expect(parentOf(workspace.root, key(4))).toEqual(stacked(leaf(3), leaf(4)));
    expect(parentOf(workspace.root, key(1))).toBe(workspace.root);
    expect(parentOf(leaf(1), key(1))).toBeNull();
    expect(tabGroups(workspace)).toEqual([leaf(1, 2)]);
  });

  test("treeForWire is the specification's tree, with the front tab as active", () => {
    const tree = toLayoutTree(workspace.root);
    expect(tree).toEqual({
      kind: "split",
      direction: "horizontal",
      ratio: 0.5,
      first: { kind: "leaf", tiles: [1, 2], active: 1 },
      second: {
        kind: "split",
        direction: "vertical",
        ratio: 0.5,
        first: { kind: "leaf", tiles: [3], active: 3 },
        second: { kind: "leaf", tiles: [4], active: 4 },
      },
    });
    expect(LayoutTree.parse(tree)).toEqual(tree);
    expect(toLayoutTree(null)).toEqual({ kind: "leaf", tiles: [] });
  });
});

/** A tree of this many tiles that is as deep as it can be. */
function comb(tiles: number): Layout {
  let tree: Layout = leaf(tiles);
  for (let number = tiles - 1; number > 0; number -= 1) tree = beside(leaf(number), tree);
  return tree;
}
