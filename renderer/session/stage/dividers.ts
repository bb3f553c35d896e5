import { clampRatio, type Direction, type Layout, ratioBounds } from "../../../core/layout/layout.ts";
import type { TileKey } from "../../../core/protocol/ids.ts";
import { cut, GAP, type PixelBox, type Size } from "./pixels.ts";

/** Path to a split from the root: `1` is the first half, `2` the second. */
type SplitPath = string;

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

/** A split's new ratio, as `setRatio` takes it. */
export interface RatioChange {
  readonly tile: TileKey;
  readonly against: TileKey;
  readonly ratio: number;
}

/**
 * Moves one divider and no other: the splits on both sides that are cut in the same direction get the ratios that keep
 * their dividers where they are, as far as the bounds of ratios allow.
 */
export function moveDivider(
  root: Layout,
  path: SplitPath,
  ratio: number,
): { readonly root: Layout; readonly changes: readonly RatioChange[] } {
  const changes: RatioChange[] = [];
  return { root: movedAt(root, path, ratio, changes), changes };
}

function movedAt(node: Layout, path: SplitPath, ratio: number, changes: RatioChange[]): Layout {
  if (node.kind === "leaf") return node;
  const rest = path.slice(1);
  if (path[0] === "1") return { ...node, first: movedAt(node.first, rest, ratio, changes) };
  if (path[0] === "2") return { ...node, second: movedAt(node.second, rest, ratio, changes) };
  const { direction, first, second, ratio: before } = node;
  changes.push({ tile: firstTile(first), against: firstTile(second), ratio });
  return {
    ...node,
    ratio,
    first: keepDividers(first, { direction, from: [0, before], to: [0, ratio] }, changes),
    second: keepDividers(second, { direction, from: [before, 1], to: [ratio, 1] }, changes),
  };
}

type Span = readonly [start: number, end: number];

/** Where a half of the moved split was along the direction, and where it is now. */
interface Stretch {
  readonly direction: Direction;
  readonly from: Span;
  readonly to: Span;
}

function keepDividers(node: Layout, stretch: Stretch, changes: RatioChange[]): Layout {
  if (node.kind === "leaf") return node;
  const { direction, from, to } = stretch;
  const keep = (half: Layout, halfFrom: Span, halfTo: Span) =>
    keepDividers(half, { direction, from: halfFrom, to: halfTo }, changes);
  if (node.direction !== direction)
    return { ...node, first: keep(node.first, from, to), second: keep(node.second, from, to) };
  const at = from[0] + (from[1] - from[0]) * node.ratio;
  const ratio = clampRatio((at - to[0]) / (to[1] - to[0]));
  const now = to[0] + (to[1] - to[0]) * ratio;
  if (ratio !== node.ratio) changes.push({ tile: firstTile(node.first), against: firstTile(node.second), ratio });
  return {
    ...node,
    ratio,
    first: keep(node.first, [from[0], at], [to[0], now]),
    second: keep(node.second, [at, from[1]], [now, to[1]]),
  };
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
