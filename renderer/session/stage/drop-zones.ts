import type { TileKey } from "../../../core/protocol/ids.ts";
import { BAR, type PixelBox } from "./pixels.ts";

/** Where a dragged tile is dropped on another: swapped with it, beside it, or behind it as a tab. */
type DropPosition = "swap" | "left" | "right" | "up" | "down" | "tab";

export interface DropTarget {
  readonly tile: TileKey;
  readonly place: DropPosition;
  /** Rectangle to highlight on the stage. */
  readonly mark: PixelBox;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Share of a tile's width or height that counts as its edge. */
const EDGE = 0.25;

/**
 * Returns the effect of a drop at this point: on a title bar it stacks, near an edge it splits, in the middle it swaps.
 * Within its own group a tile can only be split off to an edge, if the group has other tabs. Undefined: no effect.
 */
export function dropTargetAt(
  point: Point,
  dragged: TileKey,
  groups: readonly { readonly tiles: readonly TileKey[]; readonly front: TileKey; readonly box: PixelBox }[],
): DropTarget | undefined {
  const group = groups.find(({ box }) => contains(box, point));
  if (group === undefined) return undefined;
  const place = placeAt(group.box, point);
  const { tiles, box } = group;
  if (!tiles.includes(dragged)) return { tile: group.front, place, mark: markOf(box, place) };
  const mate = tiles.find((key) => key !== dragged);
  if (mate === undefined || place === "swap") return undefined;
  if (place === "tab") return undefined;
  return { tile: mate, place, mark: markOf(box, place) };
}

/** Returns the command that performs a drop. */
export function dropCommand(
  dragged: TileKey,
  { tile, place }: Pick<DropTarget, "tile" | "place">,
): { readonly method: "swapTiles" | "moveTile"; readonly params: Readonly<Record<string, unknown>> } {
  return place === "swap"
    ? { method: "swapTiles", params: { keyA: dragged, keyB: tile } }
    : { method: "moveTile", params: { key: dragged, target: tile, place } };
}

function placeAt(box: PixelBox, point: Point): DropPosition {
  if (point.y < box.top + BAR) return "tab";
  const x = (point.x - box.left) / box.width;
  const y = (point.y - box.top - BAR) / Math.max(1, box.height - BAR);
  const distances = [
    ["left", x],
    ["right", 1 - x],
    ["up", y],
    ["down", 1 - y],
  ] as const;
  const [side, distance] = distances.reduce((nearest, next) => (next[1] < nearest[1] ? next : nearest));
  return distance < EDGE ? side : "swap";
}

function markOf({ left, top, width, height }: PixelBox, place: DropPosition): PixelBox {
  const [halfWidth, halfHeight] = [Math.round(width / 2), Math.round(height / 2)];
  switch (place) {
    case "swap":
      return { left, top, width, height };
    case "tab":
      return { left, top, width, height: BAR };
    case "left":
      return { left, top, width: halfWidth, height };
    case "right":
      return { left: left + width - halfWidth, top, width: halfWidth, height };
    case "up":
      return { left, top, width, height: halfHeight };
    case "down":
      return { left, top: top + height - halfHeight, width, height: halfHeight };
  }
}

function contains({ left, top, width, height }: PixelBox, { x, y }: Point): boolean {
  return x >= left && x < left + width && y >= top && y < top + height;
}
