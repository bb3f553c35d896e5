import type { TileKey } from "../protocol/ids.ts";
import { removeTile } from "./insert.ts";
import type { Leaf, Workspace } from "./layout.ts";
import { mostRecent, promote } from "./recency.ts";
import { parentOf, tilesIn } from "./tree.ts";
import { requireGroup } from "./workspace.ts";

/**
 * Removes the tile. If it had the focus, the focus moves to the most recently focused tile of its tab group, else of the
 * sibling that takes its place (docs/decisions/0005). Closing another tile leaves the focus unchanged.
 */
export function closeTile(workspace: Workspace, key: TileKey): Workspace {
  const group = requireGroup(workspace, key);
  const rest = workspace.recent.filter((other) => other !== key);
  const successor = workspace.recent[0] === key ? mostRecent(successorsOf(workspace, group, key), rest) : undefined;
  const recent = successor === undefined ? rest : promote(rest, successor);
  return { ...workspace, root: workspace.root && removeTile(workspace.root, key, recent), maximized: null, recent };
}

function successorsOf({ root }: Workspace, group: Leaf, key: TileKey): readonly TileKey[] {
  const mates = group.tiles.filter((other) => other !== key);
  if (mates.length > 0) return mates;
  const parent = parentOf(root, key);
  return parent === null ? [] : tilesIn(parent.first === group ? parent.second : parent.first);
}
