import { RemoteError } from "../protocol/errors.ts";
import type { TileKey } from "../protocol/ids.ts";
import { readingOrder } from "./geometry.ts";
import type { Layout, Leaf, Workspace } from "./layout.ts";
import { groupOf, groupsIn } from "./tree.ts";

export function emptyWorkspace(name: string): Workspace {
  return { name, root: null, maximized: null, recent: [] };
}

/** Replaces the workspace's tree. The first group gets the focus; every group keeps its front tab. */
export function withLayout(workspace: Workspace, root: Layout): Workspace {
  const groups = groupsIn(root);
  const behind = groups.flatMap(({ tiles, front }) => tiles.filter((key) => key !== front));
  return { ...workspace, root, maximized: null, recent: [...groups.map(({ front }) => front), ...behind] };
}

/** Returns the focused tile; null if the workspace is empty. */
export function focusedTile(workspace: Workspace): TileKey | null {
  return workspace.recent[0] ?? null;
}

/** Returns all tiles in reading order: row by row, and in tab order within a group. */
export function tilesOf(workspace: Workspace): readonly TileKey[] {
  return readingOrder(workspace.root).flatMap((group) => group.tiles);
}

/** Returns the groups with several tabs (`get-tab-groups`, docs/specification.md §4.2); `groupsIn` returns all groups. */
export function tabGroups(workspace: Workspace): readonly Leaf[] {
  return groupsIn(workspace.root).filter((group) => group.tiles.length > 1);
}

/**
 * Returns the tile's group.
 * @throws RemoteError `unknown_tile`
 */
export function requireGroup({ root, recent }: Workspace, key: TileKey): Leaf {
  const group = groupOf(root, key);
  if (group) return group;
  throw new RemoteError("unknown_tile", `No tile here has the key ${key}; ${listed(recent)}.`);
}

function listed(keys: readonly TileKey[]): string {
  if (keys.length === 0) return "the workspace is empty";
  const shown = keys.slice(0, 20).toSorted((a, b) => a - b);
  return `there ${keys.length === 1 ? "is" : "are"} ${shown.join(", ")}${keys.length > shown.length ? ", …" : ""}`;
}
