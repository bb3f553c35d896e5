import { describe, expect, test } from "vitest";
import { cycleTab, focusTile, selectTab, toggleMaximize } from "../../../../core/layout/focus.ts";
import { addTab } from "../../../../core/layout/open-tile.ts";
import { key } from "./arbitrary-workspace.ts";
import { beside, leaf, page, stacked } from "./sketch.ts";

const workspace = page(beside(leaf(1, 2, 3), leaf(4)));

describe("focusTile", () => {
  test("puts the tile first in the history and in front of its group", () => {
    const focused = focusTile(workspace, key(2));
    expect(focused.recent).toEqual([2, 1, 4, 3]);
    expect(focused.root).toEqual(beside({ ...leaf(1, 2, 3), front: key(2) }, leaf(4)));
  });

  test("returns the same value if nothing changes, and the same tree if only the focus changes", () => {
    expect(focusTile(workspace, key(1))).toBe(workspace);
    expect(focusTile(workspace, key(4)).root).toBe(workspace.root);
  });

  test("keeps unchanged subtrees identical", () => {
    const right = stacked(leaf(3), leaf(4));
    const { root } = focusTile(page(beside(leaf(1, 2), right)), key(2));
    expect(root?.kind === "split" && root.second).toBe(right);
  });

  test("keeps a maximized group maximized on its new front", () => {
    expect(focusTile(toggleMaximize(workspace, key(1)), key(3)).maximized).toBe(3);
  });

  test("restores the layout for a tile of another group", () => {
    expect(focusTile(toggleMaximize(workspace, key(1)), key(4)).maximized).toBeNull();
  });
});

describe("selectTab", () => {
  test("focuses the tab with that index", () => {
    expect(selectTab(workspace, key(1), 2)).toEqual(focusTile(workspace, key(3)));
  });

  test.each([3, -1, 0.5, Number.NaN])("refuses index %s and says which there are", (index) => {
    expect(() => selectTab(workspace, key(1), index)).toThrow(
      expect.objectContaining({ code: "unknown_tab", message: expect.stringContaining("it has the tabs 0 to 2") }),
    );
  });
});

describe("cycleTab", () => {
  test("goes on from the front tab, around the end", () => {
    const third = cycleTab(cycleTab(workspace, key(1), 1), key(1), 1);
    expect(third.recent[0]).toBe(3);
    expect(cycleTab(third, key(1), 1).recent[0]).toBe(1);
    expect(cycleTab(workspace, key(1), -1).recent[0]).toBe(3);
  });

  test("focuses a group of one tab", () => {
    expect(cycleTab(workspace, key(4), 1)).toEqual(focusTile(workspace, key(4)));
  });
});

describe("toggleMaximize", () => {
  test("focuses the tile and lets it fill the workspace; again restores", () => {
    const maximized = toggleMaximize(workspace, key(4));
    expect(maximized).toEqual({ ...focusTile(workspace, key(4)), maximized: 4 });
    expect(toggleMaximize(maximized, key(4))).toEqual(focusTile(workspace, key(4)));
  });

  test("goes from one maximized tile straight to another", () => {
    expect(toggleMaximize(toggleMaximize(workspace, key(1)), key(4)).maximized).toBe(4);
  });

  test("ends with a new tab beside the maximized tile", () => {
    expect(addTab(toggleMaximize(workspace, key(4)), key(4), key(5)).maximized).toBeNull();
  });
});
