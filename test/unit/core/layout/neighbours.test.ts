import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Box, boxesOf } from "../../../../core/layout/geometry.ts";
import type { Layout } from "../../../../core/layout/layout.ts";
import { neighbour } from "../../../../core/layout/neighbours.ts";
import { filledWorkspace, key, pick, runs } from "./arbitrary-workspace.ts";
import { beside, leaf, page, stacked } from "./sketch.ts";

describe("neighbour", () => {
  const column = beside(leaf(1), stacked(leaf(2), leaf(3), 0.6));

  test("prefers the longest common stretch", () => {
    expect(neighbour(page(column, [1, 3, 2]), key(1), "right")).toBe(2);
  });

  test("takes the most recently focused among equals", () => {
    const equal = beside(leaf(1), stacked(leaf(2), leaf(3)));
    expect(neighbour(page(equal, [1, 3, 2]), key(1), "right")).toBe(3);
    expect(neighbour(page(equal, [1, 2, 3]), key(1), "right")).toBe(2);
  });

  test.each([
    [3, "left", 1],
    [3, "up", 2],
    [2, "down", 3],
    [1, "left", null],
    [1, "up", null],
    [3, "down", null],
    [2, "right", null],
  ] as const)("from %s to the %s is %s", (from, side, expected) => {
    expect(neighbour(page(column), key(from), side)).toBe(expected);
  });

  test("returns the front tile of a tab group, also from a tile behind another", () => {
    const groups = page(beside(leaf(1, 2), leaf(3, 4)));
    expect(neighbour(groups, key(2), "right")).toBe(3);
    expect(neighbour(groups, key(4), "left")).toBe(1);
  });

  test("does not take a tile that touches only at a corner", () => {
    const corners = stacked(beside(leaf(1), leaf(2)), beside(leaf(3), leaf(4)));
    expect(neighbour(page(corners, [1, 4, 3, 2]), key(1), "right")).toBe(2);
    expect(neighbour(page(corners, [1, 4, 2, 3]), key(1), "down")).toBe(3);
  });

  test("works for tiles thinner than the rounding tolerance", () => {
    let thin: Layout = leaf(1);
    for (let number = 2; number <= 12; number += 1) thin = stacked(leaf(number), thin, 0.9);
    const workspace = page(beside(stacked(leaf(20), leaf(21)), stacked(thin, leaf(22))));
    const recent = [21, ...workspace.recent.filter((other) => other !== 21)].map(key);
    expect(neighbour({ ...workspace, recent }, key(1), "left")).toBe(20);
  });

  test("refuses a tile that is not there", () => {
    expect(() => neighbour(page(column), key(9), "up")).toThrow(expect.objectContaining({ code: "unknown_tile" }));
  });

  test("always lies beyond the shared edge, and is missing only at the edge of the workspace", () => {
    const sides = fc.constantFrom("left", "right", "up", "down");
    fc.assert(
      fc.property(filledWorkspace, fc.nat(50), sides, (workspace, at, side) => {
        const from = pick(workspace, at);
        const to = neighbour(workspace, from, side);
        const boxes = boxesOf(workspace.root);
        const here = boxes.find(({ group }) => group.tiles.includes(from));
        const there = boxes.find(({ group }) => group.front === to);
        if (here === undefined) throw new Error("every tile has a box");
        if (there === undefined) expect([side, here[edge[side]]]).toEqual([side, side in { left: 1, up: 1 } ? 0 : 1]);
        else expect(there[edge[opposite[side]]]).toBe(here[edge[side]]);
      }),
      runs,
    );
  });
});

const edge = { left: "left", right: "right", up: "top", down: "bottom" } as const satisfies Record<string, keyof Box>;
const opposite = { left: "right", right: "left", up: "down", down: "up" } as const;
