import type { TileKey } from "../protocol/ids.ts";
import type { Direction, Layout, Leaf, Workspace } from "./layout.ts";

/** A tab group's rectangle in fractions of the workspace, origin top left. Neighbours share identical coordinates. */
export interface Box {
  readonly group: Leaf;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A tile's position and size as get-layout returns it, in fractions of the workspace (docs/decisions/0004). */
interface TileRectangle {
  readonly key: TileKey;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Returns the rectangle of each group, in tree order. Ignores maximized tiles. */
export function boxesOf(layout: Layout | null): readonly Box[] {
  const boxes: Box[] = [];
  if (layout) collectBoxes(layout, { left: 0, top: 0, right: 1, bottom: 1 }, boxes);
  return boxes;
}

/**
 * Returns every tile with its group's rectangle, in tree order. A maximized tile's group fills the workspace; the other
 * groups keep their rectangles.
 */
export function rectanglesOf({ root, maximized }: Workspace): readonly TileRectangle[] {
  return boxesOf(root).flatMap(({ group, left, top, right, bottom }) => {
    const full = maximized !== null && group.tiles.includes(maximized);
    const place = full ? { x: 0, y: 0, w: 1, h: 1 } : { x: left, y: top, w: right - left, h: bottom - top };
    return group.tiles.map((key) => ({ key, ...place }));
  });
}

/** Returns the groups from top to bottom, and from left to right at the same height. */
export function readingOrder(layout: Layout | null): readonly Leaf[] {
  return boxesOf(layout)
    .toSorted((a, b) => roundFraction(a.top) - roundFraction(b.top) || roundFraction(a.left) - roundFraction(b.left))
    .map(({ group }) => group);
}

/** Returns the rectangles of the groups from the largest to the smallest, in reading order among equals. */
export function boxesBySize(layout: Layout | null): readonly Box[] {
  return boxesOf(layout).toSorted(
    (a, b) =>
      roundFraction(areaOf(b)) - roundFraction(areaOf(a)) ||
      roundFraction(a.top) - roundFraction(b.top) ||
      roundFraction(a.left) - roundFraction(b.left),
  );
}

/**
 * Returns the direction that splits a rectangle's longer side.
 * @param aspect the workspace's width divided by its height
 */
export function longerSide({ left, top, right, bottom }: Box, aspect: number): Direction {
  return roundFraction((right - left) * aspect) >= roundFraction(bottom - top) ? "horizontal" : "vertical";
}

/** Rounds to a billionth, so that coordinates computed by different divisions compare as equal. */
export function roundFraction(fraction: number): number {
  return Math.round(fraction * 1e9) / 1e9;
}

function areaOf({ left, top, right, bottom }: Box): number {
  return (right - left) * (bottom - top);
}

function collectBoxes(layout: Layout, area: Omit<Box, "group">, into: Box[]): void {
  if (layout.kind === "leaf") {
    into.push({ group: layout, ...area });
    return;
  }
  if (layout.direction === "horizontal") {
    const cut = area.left + (area.right - area.left) * layout.ratio;
    collectBoxes(layout.first, { ...area, right: cut }, into);
    collectBoxes(layout.second, { ...area, left: cut }, into);
  } else {
    const cut = area.top + (area.bottom - area.top) * layout.ratio;
    collectBoxes(layout.first, { ...area, bottom: cut }, into);
    collectBoxes(layout.second, { ...area, top: cut }, into);
  }
}
