import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Layout } from "../../../../../core/layout/layout.ts";
import { clampRatio } from "../../../../../core/layout/layout.ts";
import { setRatio } from "../../../../../core/layout/splits.ts";
import { emptyWorkspace, withLayout } from "../../../../../core/layout/workspace.ts";
import type { TileKey } from "../../../../../core/protocol/ids.ts";
import { arrange } from "../../../../../renderer/session/stage/arrange.ts";
import { dividersOf, moveDivider, ratioAfterKey, ratioAt } from "../../../../../renderer/session/stage/dividers.ts";
import { GAP } from "../../../../../renderer/session/stage/pixels.ts";

const leaf = (key: number): Layout => ({ kind: "leaf", tiles: [key as TileKey], front: key as TileKey });
const split = (direction: "horizontal" | "vertical", ratio: number, first: Layout, second: Layout): Layout => ({
  kind: "split",
  direction,
  ratio,
  first,
  second,
});
const stage = { width: 1006, height: 606 };

describe("dividers", () => {
  test("one lies in the gap between two tiles", () => {
    const [divider] = dividersOf(split("horizontal", 0.25, leaf(1), leaf(2)), stage);
    expect(divider).toEqual({
      path: "",
      direction: "horizontal",
      ratio: 0.25,
      tile: 1,
      against: 2,
      handle: { left: 250, top: 6, width: GAP, height: 594 },
      from: 3,
      length: 1000,
    });
  });

  test("a split is named by a tile of each half", () => {
    const grid = split(
      "vertical",
      0.5,
      split("horizontal", 0.5, leaf(1), leaf(2)),
      split("horizontal", 0.5, leaf(3), leaf(4)),
    );
    expect(dividersOf(grid, stage).map(({ path, tile, against }) => [path, tile, against])).toEqual([
      ["", 1, 3],
      ["1", 1, 2],
      ["2", 3, 4],
    ]);
  });

  test("a drag to the divider's own position changes nothing, and the ratio stays in its bounds", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 900 }), fc.integer({ min: 200, max: 4000 }), (thousandths, width) => {
        const ratio = thousandths / 1000;
        const [divider] = dividersOf(split("horizontal", ratio, leaf(1), leaf(2)), { width, height: 500 });
        if (divider === undefined) throw new Error("a split has a divider");
        const middle = divider.handle.left + GAP / 2;
        expect(Math.abs(ratioAt(divider, middle) - ratio)).toBeLessThanOrEqual(1 / divider.length + 0.001);
        expect(ratioAt(divider, -1e6)).toBe(0.1);
        expect(ratioAt(divider, 1e6)).toBe(0.9);
      }),
    );
  });

  test("the changes of a move are commands that make the tree which is drawn", () => {
    fc.assert(
      fc.property(trees, fc.integer({ min: 100, max: 900 }), (tree, thousandths) => {
        for (const { path } of dividersOf(tree, stage)) {
          const { root, changes } = moveDivider(tree, path, thousandths / 1000);
          const start = withLayout(emptyWorkspace("1"), tree);
          const moved = changes.reduce((now, { tile, ratio, against }) => setRatio(now, tile, ratio, against), start);
          expect(moved.root).toEqual(root);
        }
      }),
    );
  });

  test("a move leaves every other divider where it is, while its own neighbours have room", () => {
    const columns = split(
      "horizontal",
      0.25,
      leaf(1),
      split("horizontal", 1 / 3, leaf(2), split("vertical", 0.4, leaf(3), leaf(4))),
    );
    const mirrored = split("horizontal", 0.75, split("horizontal", 2 / 3, leaf(2), leaf(3)), leaf(1));
    for (const tree of [columns, mirrored]) {
      const before = dividersOf(tree, stage);
      for (const { path } of before) {
        const own = before.find((divider) => divider.path === path)?.ratio ?? 0;
        const after = dividersOf(moveDivider(tree, path, own + 0.05).root, stage);
        for (const [index, { path: other, direction, handle }] of after.entries()) {
          const was = before[index]?.handle;
          const [now, then] = direction === "horizontal" ? [handle.left, was?.left] : [handle.top, was?.top];
          if (other === path) expect(Math.abs(now - (then ?? 0))).toBeGreaterThan(5);
          else expect(Math.abs(now - (then ?? 0))).toBeLessThanOrEqual(1);
        }
      }
    }
  });

  test("keys move it, Home and End take it to its bounds, Enter evens", () => {
    const sideBySide = { direction: "horizontal", ratio: 0.5 } as const;
    expect(ratioAfterKey("ArrowLeft", sideBySide)).toBe(0.48);
    expect(ratioAfterKey("ArrowRight", sideBySide)).toBe(0.52);
    expect(ratioAfterKey("ArrowUp", sideBySide)).toBeUndefined();
    expect(ratioAfterKey("ArrowDown", { direction: "vertical", ratio: 0.9 })).toBe(0.9);
    expect([ratioAfterKey("Home", sideBySide), ratioAfterKey("End", sideBySide)]).toEqual([0.1, 0.9]);
    expect(ratioAfterKey("Enter", { ...sideBySide, ratio: 0.2 })).toBe(0.5);
  });

  test("a tree that no other divider crosses changes in one ratio", () => {
    const tree = split("vertical", 0.5, leaf(1), split("horizontal", 0.5, leaf(2), leaf(3)));
    const { root, changes } = moveDivider(tree, "2", 0.7);
    expect(root).toEqual(split("vertical", 0.5, leaf(1), split("horizontal", 0.7, leaf(2), leaf(3))));
    expect(changes).toEqual([{ tile: 2, against: 3, ratio: 0.7 }]);
    expect(clampRatio(0.12345)).toBe(0.123);
  });
});

describe("tiles on the stage", () => {
  test("neither overlap nor leave it, and neighbours are one gap apart", () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const boxes = arrange(withLayout(emptyWorkspace("x"), tree), { width: 2006, height: 2006 }, false).map(
          ({ box }) => box,
        );
        for (const [index, a] of boxes.entries()) {
          expect(a.left >= GAP && a.top >= GAP && a.left + a.width <= 2000 && a.top + a.height <= 2000).toBe(true);
          for (const b of boxes.slice(index + 1)) {
            const apartX = Math.max(b.left - (a.left + a.width), a.left - (b.left + b.width));
            const apartY = Math.max(b.top - (a.top + a.height), a.top - (b.top + b.height));
            expect(Math.max(apartX, apartY)).toBeGreaterThanOrEqual(GAP);
          }
        }
      }),
    );
  });

  test("a narrow screen shows the focused group alone, a maximized tile too", () => {
    const workspace = withLayout(emptyWorkspace("x"), split("horizontal", 0.5, leaf(1), leaf(2)));
    const shown = (page: typeof workspace, single: boolean) =>
      arrange(page, stage, single)
        .filter((at) => at.shown)
        .map(({ group, box }) => [group.front, box.width]);
    expect(shown(workspace, true)).toEqual([[1, 994]]);
    expect(shown({ ...workspace, maximized: 1 as TileKey }, false)).toEqual([[1, 994]]);
    expect(shown(workspace, false)).toEqual([
      [1, 494],
      [2, 494],
    ]);
  });
});

/** Trees of up to three levels, so that boxes stay larger than a gap. */
const { tree: shapes } = fc.letrec<{ tree: Layout; node: Layout; leaf: Layout }>((tie) => ({
  leaf: fc.constant(leaf(1)),
  node: fc
    .tuple(
      fc.constantFrom("horizontal" as const, "vertical" as const),
      fc.integer({ min: 2, max: 8 }),
      tie("tree"),
      tie("tree"),
    )
    .map(([direction, tenths, first, second]) => split(direction, tenths / 10, first, second)),
  tree: fc.oneof({ maxDepth: 3, withCrossShrink: true }, tie("leaf"), tie("node")),
}));

/** The same shapes with a key of its own for every leaf. */
const trees = shapes.map((shape) => {
  let next = 1;
  const numbered = (node: Layout): Layout =>
    node.kind === "leaf" ? leaf(next++) : { ...node, first: numbered(node.first), second: numbered(node.second) };
  return numbered(shape);
});
