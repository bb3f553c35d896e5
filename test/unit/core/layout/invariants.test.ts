import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { closeTile } from "../../../../core/layout/close-tile.ts";
import { focusTile, toggleMaximize } from "../../../../core/layout/focus.ts";
import { type Box, boxesOf, rectanglesOf } from "../../../../core/layout/geometry.ts";
import { resetLayout } from "../../../../core/layout/grid.ts";
import type { Layout, Workspace } from "../../../../core/layout/layout.ts";
import { moveTile, swapTiles } from "../../../../core/layout/move-tile.ts";
import { addTab, splitTile } from "../../../../core/layout/open-tile.ts";
import { toggleDirection } from "../../../../core/layout/splits.ts";
import { groupOf, groupsIn, parentOf, tilesIn } from "../../../../core/layout/tree.ts";
import { focusedTile } from "../../../../core/layout/workspace.ts";
import { WorkspaceSchema } from "../../../../core/layout/workspace-schema.ts";
import { actions, filledWorkspace, key, pick, played, runs } from "./arbitrary-workspace.ts";

const fresh = key(1000);
const picks = fc.nat(50);

describe("any sequence of actions", () => {
  test("keeps every key in exactly one group, and the focus history a permutation of the keys", () => {
    everyState((now) => {
      const tiles = tilesIn(now.root);
      expect(new Set(tiles).size).toBe(tiles.length);
      expect(now.recent.toSorted((a, b) => a - b)).toEqual(tiles.toSorted((a, b) => a - b));
    });
  });

  test("keeps every ratio from 0.1 to 0.9", () => {
    everyState(({ root }) => {
      for (const ratio of ratiosIn(root)) expect(ratio >= 0.1 && ratio <= 0.9).toBe(true);
    });
  });

  test("keeps rectangles that tile the workspace without gap or overlap", () => {
    everyState(({ root }) => {
      const boxes = boxesOf(root);
      const area = boxes.reduce((sum, { left, top, right, bottom }) => sum + (right - left) * (bottom - top), 0);
      expect(area).toBeCloseTo(root === null ? 0 : 1, 9);
      const isWhole = (a: Box) => a.left >= 0 && a.top >= 0 && a.right <= 1 && a.bottom <= 1;
      const isEmpty = (a: Box) => a.left >= a.right || a.top >= a.bottom;
      const overlap = (a: Box, b: Box) => a.right > b.left && b.right > a.left && a.bottom > b.top && b.bottom > a.top;
      const wrong = boxes.filter(
        (box, index) => !isWhole(box) || isEmpty(box) || boxes.slice(index + 1).some((other) => overlap(box, other)),
      );
      expect(wrong).toEqual([]);
    });
  });

  test("keeps a focused tile exactly while there is a tile, in front of its group", () => {
    everyState((now) => {
      const focused = focusedTile(now);
      expect(focused === null).toBe(now.root === null);
      if (focused !== null) expect(groupOf(now.root, focused)?.front).toBe(focused);
    });
  });

  test("keeps the most recently focused tile of every group in front", () => {
    everyState(({ root, recent }) => {
      for (const { tiles, front } of groupsIn(root)) {
        expect(front).toBe(tiles.toSorted((a, b) => recent.indexOf(a) - recent.indexOf(b))[0]);
      }
    });
  });

  test("keeps only the focused tile maximized, if any", () => {
    everyState((now) => {
      if (now.maximized !== null) expect(now.maximized).toBe(focusedTile(now));
    });
  });

  test("produces a value that survives serialization", () => {
    everyState((now) => expect(WorkspaceSchema.parse(JSON.parse(JSON.stringify(now)))).toEqual(now));
  });
});

describe("laws", () => {
  test("closing undoes a split of the focused tile, and one without the focus anywhere", () => {
    property(
      fc.tuple(picks, fc.constantFrom("horizontal", "vertical"), fc.boolean()),
      (now, [at, direction, focus]) => {
        const target = focus ? now.recent[0] : pick(now, at);
        if (target === undefined) return;
        const split = splitTile(now, target, fresh, direction, { focus });
        expect(closeTile(split, fresh)).toEqual({ ...now, maximized: null });
      },
    );
  });

  test("closing undoes a split of any tile as far as the tree goes", () => {
    property(picks, (now, at) => {
      const split = splitTile(now, pick(now, at), fresh, "vertical");
      expect(closeTile(split, fresh).root).toEqual(now.root);
    });
  });

  test("closing undoes a tab added to the focused tile", () => {
    property(fc.boolean(), (now, focus) => {
      const tabbed = addTab(now, pick(now, 0), fresh, { focus });
      expect(tilesIn(closeTile(tabbed, fresh).root)).toEqual(tilesIn(now.root));
      const [focused] = now.recent;
      if (focused === undefined) return;
      expect(closeTile(addTab(now, focused, fresh, { focus }), fresh)).toEqual({ ...now, maximized: null });
    });
  });

  test("swapping is its own inverse, keeps the focus, and exchanges the two rectangles", () => {
    property(fc.tuple(picks, picks), (now, [a, b]) => {
      const plain = { ...now, maximized: null };
      const swapped = swapTiles(now, pick(now, a), pick(now, b));
      expect(swapTiles(swapped, pick(now, a), pick(now, b))).toEqual(plain);
      expect(focusedTile(swapped)).toBe(focusedTile(now));
      const placeOf = (state: Workspace, tile: number) => rectanglesOf(state).find((r) => r.key === tile);
      expect({ ...placeOf(swapped, pick(now, a)), key: 0 }).toEqual({ ...placeOf(plain, pick(now, b)), key: 0 });
      expect({ ...placeOf(swapped, pick(now, b)), key: 0 }).toEqual({ ...placeOf(plain, pick(now, a)), key: 0 });
    });
  });

  test("maximizing changes no tree beyond bringing the tile to the front, and a second time restores", () => {
    property(picks, (now, at) => {
      const tile = pick(now, at);
      const restored = { ...now, maximized: null };
      const maximized = toggleMaximize(restored, tile);
      expect(maximized.maximized).toBe(tile);
      expect(maximized.root).toEqual(focusTile(restored, tile).root);
      expect(boxesOf(maximized.root).map(({ group, ...box }) => ({ ...box, tiles: group.tiles }))).toEqual(
        boxesOf(now.root).map(({ group, ...box }) => ({ ...box, tiles: group.tiles })),
      );
      if (groupOf(now.root, tile)?.front === tile) expect(maximized.root).toBe(now.root);
      expect(toggleMaximize(maximized, tile)).toEqual(focusTile(restored, tile));
    });
  });

  test("toggling a direction twice gives the same tree", () => {
    property(picks, (now, at) => {
      const tile = pick(now, at);
      if (parentOf(now.root, tile) === null) return;
      expect(toggleDirection(toggleDirection(now, tile), tile)).toEqual({ ...now, maximized: null });
    });
  });

  test("resetting keeps the groups and the focus, gives each row equal cells, and resetting again changes nothing", () => {
    property(fc.constant(null), (now) => {
      const reset = resetLayout(now);
      expect(new Set(groupsIn(reset.root))).toEqual(new Set(groupsIn(now.root)));
      expect(reset.recent).toEqual(now.recent);
      expect(resetLayout(reset)).toEqual(reset);
      const heights = boxesOf(reset.root).map(({ top, bottom }) => bottom - top);
      expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(1e-9);
    });
  });

  test("moving a tile keeps all tiles, focuses it and puts it where it was asked", () => {
    property(fc.tuple(picks, picks, fc.constantFrom("left", "right", "up", "down", "tab")), (now, [a, b, place]) => {
      const tile = pick(now, a);
      const target = pick(now, b);
      if (tile === target) return;
      const moved = moveTile(now, tile, target, place);
      expect(new Set(tilesIn(moved.root))).toEqual(new Set(tilesIn(now.root)));
      expect(focusedTile(moved)).toBe(tile);
      const group = groupOf(moved.root, target);
      expect(group?.tiles.includes(tile)).toBe(place === "tab");
      if (place === "tab") return;
      const parent = parentOf(moved.root, tile);
      expect(parent).toMatchObject({ direction: place === "left" || place === "right" ? "horizontal" : "vertical" });
      expect(place === "left" || place === "up" ? parent?.second : parent?.first).toEqual(group);
    });
  });
});

function everyState(holds: (now: Workspace) => void): void {
  fc.assert(
    fc.property(actions, (list) => {
      for (const state of played(list)) holds(state);
    }),
    runs,
  );
}

function property<T>(more: fc.Arbitrary<T>, holds: (now: Workspace, more: T) => void): void {
  fc.assert(fc.property(filledWorkspace, more, holds), runs);
}

function ratiosIn(layout: Layout | null): number[] {
  if (layout === null || layout.kind === "leaf") return [];
  return [layout.ratio, ...ratiosIn(layout.first), ...ratiosIn(layout.second)];
}
