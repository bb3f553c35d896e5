import { RemoteError } from "../protocol/errors.ts";
import type { TileKey } from "../protocol/ids.ts";
import type { Workspace } from "./layout.ts";
import { promote } from "./recency.ts";
import { changeGroup } from "./tree.ts";
import { requireGroup } from "./workspace.ts";

/**
 * Focuses the tile and brings it to the front of its group. A maximized group stays maximized with its new front tile.
 * Focusing a tile of another group restores the layout, as tmux does.
 */
export function focusTile(workspace: Workspace, key: TileKey): Workspace {
  const group = requireGroup(workspace, key);
  if (workspace.recent[0] === key) return workspace;
  const { root, maximized } = workspace;
  return {
    ...workspace,
    root: group.front === key || root === null ? root : changeGroup(root, key, (now) => ({ ...now, front: key })),
    maximized: maximized !== null && group.tiles.includes(maximized) ? key : null,
    recent: promote(workspace.recent, key),
  };
}

/**
 * Focuses the tab with this zero-based index in the tile's group.
 * @throws RemoteError `unknown_tab`
 */
export function selectTab(workspace: Workspace, tile: TileKey, index: number): Workspace {
  const { tiles } = requireGroup(workspace, tile);
  const tab = tiles[index];
  if (tab !== undefined) return focusTile(workspace, tab);
  const range = tiles.length === 1 ? "only a tab 0" : `the tabs 0 to ${tiles.length - 1}`;
  throw new RemoteError("unknown_tab", `There is no tab ${index} in the group of tile ${tile}; it has ${range}.`);
}

/** Focuses the next (1) or previous (-1) tab of the tile's group, relative to its front tab. Wraps around. */
export function cycleTab(workspace: Workspace, tile: TileKey, step: 1 | -1): Workspace {
  const { tiles, front } = requireGroup(workspace, tile);
  return focusTile(workspace, tiles.at((tiles.indexOf(front) + step) % tiles.length) ?? front);
}

/** Focuses the tile and maximizes it, or restores the layout if it is maximized (docs/decisions/0005). */
export function toggleMaximize(workspace: Workspace, key: TileKey): Workspace {
  const focused = focusTile(workspace, key);
  return { ...focused, maximized: workspace.maximized === key ? null : key };
}
