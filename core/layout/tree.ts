import type { TileKey } from "../protocol/ids.ts";
import type { LayoutTree } from "../protocol/records.ts";
import type { Layout, Leaf, Split } from "./layout.ts";

/** Returns all tab groups in tree order: first before second. */
export function groupsIn(layout: Layout | null): readonly Leaf[] {
  const groups: Leaf[] = [];
  if (layout) collectGroups(layout, groups);
  return groups;
}

/** Returns all tiles, group by group in tree order. */
export function tilesIn(layout: Layout | null): readonly TileKey[] {
  return groupsIn(layout).flatMap((group) => group.tiles);
}

/** Returns the tab group that contains the tile. */
export function groupOf(layout: Layout | null, key: TileKey): Leaf | null {
  if (layout === null) return null;
  if (layout.kind === "leaf") return layout.tiles.includes(key) ? layout : null;
  return groupOf(layout.first, key) ?? groupOf(layout.second, key);
}

/** Returns the split of which the tile's group is one half; null if the group is alone or the tile is missing. */
export function parentOf(layout: Layout | null, key: TileKey): Split | null {
  if (layout === null || layout.kind === "leaf") return null;
  if (holds(layout.first, key) || holds(layout.second, key)) return layout;
  return parentOf(layout.first, key) ?? parentOf(layout.second, key);
}

/** Converts the tree to its wire format. An empty workspace is a leaf without tiles. */
export function toLayoutTree(layout: Layout | null): LayoutTree {
  if (layout === null) return { kind: "leaf", tiles: [] };
  if (layout.kind === "leaf") return { kind: "leaf", tiles: [...layout.tiles], active: layout.front };
  const { direction, ratio, first, second } = layout;
  return { kind: "split", direction, ratio, first: toLayoutTree(first), second: toLayoutTree(second) };
}

/** Applies `change` to each group. Returning `null` removes the group; its sibling takes its place. */
export function changeGroups(layout: Layout, change: (group: Leaf) => Layout | null): Layout | null {
  if (layout.kind === "leaf") return change(layout);
  const first = changeGroups(layout.first, change);
  const second = changeGroups(layout.second, change);
  if (first === null || second === null) return first ?? second;
  // Unchanged nodes keep their identity, so that views can compare by reference.
  return first === layout.first && second === layout.second ? layout : { ...layout, first, second };
}

/** As `changeGroups`, for the group that contains the tile. */
export function changeGroup(layout: Layout, key: TileKey, change: (group: Leaf) => Layout | null): Layout | null {
  return changeGroups(layout, (group) => (group.tiles.includes(key) ? change(group) : group));
}

/** Applies `change` to the tile's parent split, if it has one. */
export function changeParent(layout: Layout, key: TileKey, change: (split: Split) => Split): Layout {
  if (layout.kind === "leaf") return layout;
  if (holds(layout.first, key) || holds(layout.second, key)) return change(layout);
  const first = changeParent(layout.first, key, change);
  if (first !== layout.first) return { ...layout, first };
  const second = changeParent(layout.second, key, change);
  return second === layout.second ? layout : { ...layout, second };
}

/** Applies `change` to the split that separates the two tiles; returns the same tree if there is none. */
export function changeSeparatingSplit(layout: Layout, a: TileKey, b: TileKey, change: (split: Split) => Split): Layout {
  if (layout.kind === "leaf") return layout;
  const inFirst = tilesIn(layout.first);
  const [aFirst, bFirst] = [inFirst.includes(a), inFirst.includes(b)];
  if (aFirst !== bFirst) return change(layout);
  const half = aFirst ? "first" : "second";
  const changed = changeSeparatingSplit(layout[half], a, b, change);
  return changed === layout[half] ? layout : { ...layout, [half]: changed };
}

function collectGroups(layout: Layout, into: Leaf[]): void {
  if (layout.kind === "leaf") into.push(layout);
  else {
    collectGroups(layout.first, into);
    collectGroups(layout.second, into);
  }
}

function holds(layout: Layout, key: TileKey): boolean {
  return layout.kind === "leaf" && layout.tiles.includes(key);
}
