import { describe, expect, test } from "vitest";
import type { TileKey } from "../../../../../core/protocol/ids.ts";
import { dropCommand, dropTargetAt } from "../../../../../renderer/session/stage/drop-zones.ts";

const key = (number: number) => number as TileKey;
const groups = [
  { tiles: [key(1), key(2)], front: key(1), box: { left: 0, top: 0, width: 400, height: 430 } },
  { tiles: [key(3)], front: key(3), box: { left: 406, top: 0, width: 400, height: 430 } },
];

describe("a tile dragged onto another", () => {
  test.each([
    ["its bar", { x: 600, y: 10 }, "tab", { left: 406, top: 0, width: 400, height: 30 }],
    ["its middle", { x: 600, y: 230 }, "swap", { left: 406, top: 0, width: 400, height: 430 }],
    ["its left edge", { x: 420, y: 230 }, "left", { left: 406, top: 0, width: 200, height: 430 }],
    ["its right edge", { x: 800, y: 230 }, "right", { left: 606, top: 0, width: 200, height: 430 }],
    ["below its bar", { x: 600, y: 40 }, "up", { left: 406, top: 0, width: 400, height: 215 }],
    ["its foot", { x: 600, y: 425 }, "down", { left: 406, top: 215, width: 400, height: 215 }],
  ] as const)("on %s", (_, point, place, mark) => {
    expect(dropTargetAt(point, key(1), groups)).toEqual({ tile: 3, place, mark });
  });

  test("in its own group it can only be split off, and only from tab-mates", () => {
    expect(dropTargetAt({ x: 10, y: 230 }, key(1), groups)).toMatchObject({ tile: 2, place: "left" });
    expect(dropTargetAt({ x: 200, y: 230 }, key(1), groups)).toBeUndefined();
    expect(dropTargetAt({ x: 420, y: 230 }, key(3), groups)).toBeUndefined();
  });

  test("outside of all tiles nothing happens", () => {
    expect(dropTargetAt({ x: 402, y: 230 }, key(1), groups)).toBeUndefined();
  });

  test("maps to one command", () => {
    expect(dropCommand(key(1), { tile: key(3), place: "swap" })).toEqual({
      method: "swapTiles",
      params: { keyA: 1, keyB: 3 },
    });
    expect(dropCommand(key(1), { tile: key(3), place: "up" })).toEqual({
      method: "moveTile",
      params: { key: 1, target: 3, place: "up" },
    });
  });
});
