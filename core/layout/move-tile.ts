import { RemoteError } from "../protocol/errors.ts";
import type { TileKey } from "../protocol/ids.ts";
import { insertBeside, insertTab, removeTile, type Side } from "./insert.ts";
import type { Layout, Workspace } from "./layout.ts";
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
