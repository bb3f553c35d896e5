import { RemoteError } from "../protocol/errors.ts";
import type { TileKey } from "../protocol/ids.ts";
import { insertBeside, insertTab, removeTile, type Side } from "./insert.ts";
import type { Layout, Workspace } from "./layout.ts";
import { withNewKey } from "./open-tile.ts";
import { promote, tabGroup } from "./recency.ts";
import { changeGroup, changeGroups, groupOf } from "./tree.ts";
import { requireGroup } from "./workspace.ts";

/** Where a dragged tile lands: on a side of the target's group, or in it as a tab. */
export type Place = Side | "tab";

interface Move {
  readonly tile: TileKey;
  readonly target: TileKey;
  readonly place: Place;
}

/**
 * Swaps the positions of two tiles, tab positions included; keys and focus history stay. As the history decides what is
 * in front of a group, the swap is its own inverse.
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
 * Drag and drop: the tile leaves its place and gets the focus at the new one. As a tab it lands right after the target;
 * among its own tab-mates it takes the target's index. Beside its own tab-mate it splits the group.
 */
export function moveTile(workspace: Workspace, tile: TileKey, target: TileKey, place: Place): Workspace {
  if (tile === target) {
    throw new RemoteError("invalid_params", `params.target: expected another tile than the moved one, got ${target}.`);
  }
  requireGroup(workspace, tile);
  requireGroup(workspace, target);
  const recent = promote(workspace.recent, tile);
  return {
    ...workspace,
    root: workspace.root && moved(workspace.root, { tile, target, place }, recent),
    maximized: null,
    recent,
  };
}

/** Lets a tile of another workspace in, as `moveTile` lands one; it gets the focus. */
export function arrive(workspace: Workspace, { tile, target, place }: Move): Workspace {
  requireGroup(workspace, target);
  const next = withNewKey(workspace, tile, {});
  const { root, recent } = next;
  if (root === null) return next;
  const grown =
    place === "tab" ? insertTab(root, { target, key: tile, recent }) : insertBeside(root, { target, key: tile, place });
  return { ...next, root: grown };
}

/** Puts one tile in the place of another, which leaves the workspace: in the layout and in the focus history. */
export function replaceTile(workspace: Workspace, old: TileKey, by: TileKey): Workspace {
  requireGroup(workspace, old);
  const replaced = (key: TileKey) => (key === old ? by : key);
  const recent = workspace.recent.map(replaced);
  const { root } = workspace;
  const change = (layout: Layout) => changeGroup(layout, old, (group) => tabGroup(group.tiles.map(replaced), recent));
  return { ...workspace, root: root && change(root), maximized: null, recent };
}

function moved(root: Layout, { tile, target, place }: Move, recent: readonly TileKey[]): Layout | null {
  if (place === "tab" && areMates(root, tile, target)) {
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

function areMates(root: Layout, tile: TileKey, other: TileKey): boolean {
  return groupOf(root, tile)?.tiles.includes(other) ?? false;
}
