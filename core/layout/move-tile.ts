import { RemoteError } from "../protocol/errors.ts";
import type { TileKey } from "../protocol/ids.ts";
import { insertBeside, insertTab, removeTile, type Side } from "./insert.ts";
import type { Layout, Workspace } from "./layout.ts";
import { withNewKey } from "./open-tile.ts";
import { promote, tabGroup } from "./recency.ts";
import { changeGroup, changeGroups, groupOf } from "./tree.ts";
import { requireGroup } from "./workspace.ts";

/** Where a moved tile goes: to a side of the target's group, or into it as a tab. */
export type DropPosition = Side | "tab";

interface Move {
  readonly tile: TileKey;
  readonly target: TileKey;
  readonly position: DropPosition;
}

/**
 * Swaps the positions of two tiles, including tab positions. Keys and focus history do not change. The history determines
 * each group's front tab, so swapping twice restores the original layout.
 */
export function swapTiles(workspace: Workspace, a: TileKey, b: TileKey): Workspace {
  requireGroup(workspace, a);
  requireGroup(workspace, b);
  const { root, recent } = workspace;
  const swapped = (key: TileKey) => (key === a ? b : key === b ? a : key);
  const change = (layout: Layout) =>
    changeGroups(layout, (group) =>
      group.tiles.includes(a) || group.tiles.includes(b) ? tabGroup(group.tiles.map(swapped), recent) : group,
    );
  return { ...workspace, root: root && a !== b ? change(root) : root, maximized: null };
}

/**
 * Moves a tile and focuses it. As a tab it goes directly after the target; within its own group it takes the target's
 * index. Moving it beside a tile of its own group splits the group.
 */
export function moveTile(workspace: Workspace, tile: TileKey, target: TileKey, place: DropPosition): Workspace {
  if (tile === target) {
    throw new RemoteError("invalid_params", `params.target: expected another tile than the moved one, got ${target}.`);
  }
  requireGroup(workspace, tile);
  requireGroup(workspace, target);
  const recent = promote(workspace.recent, tile);
  return {
    ...workspace,
    root: workspace.root && movedInTree(workspace.root, { tile, target, position: place }, recent),
    maximized: null,
    recent,
  };
}

/** Inserts a tile from another workspace at the position that `moveTile` would give it, and focuses it. */
export function insertMovedTile(workspace: Workspace, { tile, target, position: place }: Move): Workspace {
  requireGroup(workspace, target);
  const next = withNewKey(workspace, tile, {});
  const { root, recent } = next;
  if (root === null) return next;
  const grown =
    place === "tab" ? insertTab(root, { target, key: tile, recent }) : insertBeside(root, { target, key: tile, place });
  return { ...next, root: grown };
}

/** Replaces one tile with another in the layout and in the focus history. */
export function replaceTile(workspace: Workspace, old: TileKey, by: TileKey): Workspace {
  requireGroup(workspace, old);
  const replaced = (key: TileKey) => (key === old ? by : key);
  const recent = workspace.recent.map(replaced);
  const { root } = workspace;
  const change = (layout: Layout) => changeGroup(layout, old, (group) => tabGroup(group.tiles.map(replaced), recent));
  return { ...workspace, root: root && change(root), maximized: null, recent };
}

function movedInTree(root: Layout, { tile, target, position: place }: Move, recent: readonly TileKey[]): Layout | null {
  if (place === "tab" && shareGroup(root, tile, target)) {
    return changeGroup(root, target, ({ tiles }) => {
      const index = tiles.indexOf(target);
      return tabGroup(tiles.filter((key) => key !== tile).toSpliced(index, 0, tile), recent);
    });
  }
  const rest = removeTile(root, tile, recent);
  if (rest === null) return null;
  return place === "tab"
    ? insertTab(rest, { target, key: tile, recent })
    : insertBeside(rest, { target, key: tile, place });
}

function shareGroup(root: Layout, tile: TileKey, other: TileKey): boolean {
  return groupOf(root, tile)?.tiles.includes(other) ?? false;
}
