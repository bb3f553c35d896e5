import { clampRatio, type Direction, type Layout, ratioBounds } from "../../../core/layout/layout.ts";
import type { TileKey } from "../../../core/protocol/ids.ts";
import { cut, GAP, type PixelBox, type Size } from "./pixels.ts";

/** Path to a split from the root: `1` is the first half, `2` the second. */
export type SplitPath = string;

/** The line between the two halves of a split. */
export interface Divider {
  readonly path: SplitPath;
  readonly direction: Direction;
  readonly ratio: number;
  /** A tile of each half: `setRatio` identifies a split by two tiles that it separates. */
  readonly tile: TileKey;
  readonly against: TileKey;
  /** The handle: as wide as the gap. */
  readonly handle: PixelBox;
  /** Start and length of the split along its direction, in pixels. */
  readonly from: number;
  readonly length: number;
}

/** Returns all dividers of a tree, outer ones first. */
export function dividersOf(root: Layout | null, stage: Size): readonly Divider[] {
  const dividers: Divider[] = [];
  if (root !== null) collectDividers(root, "", { left: 0, top: 0, right: 1, bottom: 1 }, stage, dividers);
  return dividers;
}

/** Returns the ratio that puts the divider under the pointer, clamped to its bounds. */
export function ratioAt({ from, length }: Pick<Divider, "from" | "length">, position: number): number {
  return length <= 0 ? 0.5 : clampRatio((position - from) / length);
}

/** Returns the ratio after a key press on the focused divider; undefined for other keys. */
export function ratioAfterKey(
  key: string,
  { direction, ratio }: Pick<Divider, "direction" | "ratio">,
): number | undefined {
  const [less, more] = direction === "horizontal" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
  switch (key) {
    case less:
      return clampRatio(ratio - 0.02);
    case more:
      return clampRatio(ratio + 0.02);
    case "Home":
      return ratioBounds.min;
    case "End":
      return ratioBounds.max;
    case "Enter":
      return 0.5;
    default:
      return undefined;
  }
}

/** Returns the tree with one ratio changed, to draw a drag that is not yet applied. */
export function withRatioAt(root: Layout, path: SplitPath, ratio: number): Layout {
  if (root.kind === "leaf") return root;
  if (path === "") return { ...root, ratio };
  const rest = path.slice(1);
  return path[0] === "1"
    ? { ...root, first: withRatioAt(root.first, rest, ratio) }
    : { ...root, second: withRatioAt(root.second, rest, ratio) };
}

interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function collectDividers(node: Layout, path: SplitPath, area: Area, stage: Size, into: Divider[]): void {
  if (node.kind === "leaf") return;
  const sideBySide = node.direction === "horizontal";
  const at = sideBySide
    ? area.left + (area.right - area.left) * node.ratio
    : area.top + (area.bottom - area.top) * node.ratio;
  const length = sideBySide ? stage.width : stage.height;
  const from = cut(sideBySide ? area.left : area.top, length);
  const to = cut(sideBySide ? area.right : area.bottom, length);
  const middle = cut(at, length) - GAP / 2;
  const acrossFrom = cut(sideBySide ? area.top : area.left, sideBySide ? stage.height : stage.width) + GAP / 2;
  const acrossTo = cut(sideBySide ? area.bottom : area.right, sideBySide ? stage.height : stage.width) - GAP / 2;
  into.push({
    path,
    direction: node.direction,
    ratio: node.ratio,
    tile: firstTile(node.first),
    against: firstTile(node.second),
    handle: sideBySide
      ? { left: middle, top: acrossFrom, width: GAP, height: Math.max(0, acrossTo - acrossFrom) }
      : { left: acrossFrom, top: middle, width: Math.max(0, acrossTo - acrossFrom), height: GAP },
    from,
    length: to - from,
  });
  collectDividers(node.first, `${path}1`, sideBySide ? { ...area, right: at } : { ...area, bottom: at }, stage, into);
  collectDividers(node.second, `${path}2`, sideBySide ? { ...area, left: at } : { ...area, top: at }, stage, into);
}

function firstTile(half: Layout): TileKey {
  return half.kind === "leaf" ? half.front : firstTile(half.first);
}
