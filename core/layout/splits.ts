import { RemoteError } from "../protocol/errors.ts";
import type { TileKey } from "../protocol/ids.ts";
import { ratioBounds, type Split, type Workspace } from "./layout.ts";
import { changeParent, changeSeparatingSplit, parentOf } from "./tree.ts";
import { requireGroup } from "./workspace.ts";

/**
 * Sets the share of `first` in the tile's parent split or, with `against`, in the split that separates the two tiles.
 * @throws RemoteError `no_split` if there is no such split
 */
export function setRatio(workspace: Workspace, tile: TileKey, ratio: number, against?: TileKey): Workspace {
  const { min, max } = ratioBounds;
  // This form rejects NaN as well.
  if (!(ratio >= min && ratio <= max)) {
    throw new RemoteError("invalid_params", `params.ratio: expected a number from ${min} to ${max}, got ${ratio}.`);
  }
  const change = (split: Split): Split => ({ ...split, ratio });
  return against === undefined ? withParent(workspace, tile, change) : withSeparating(workspace, tile, against, change);
}

/**
 * Returns the share of `first` in the tile's parent split or, with `against`, in the split that separates the two tiles.
 * @throws RemoteError `no_split` if there is no such split
 */
export function ratioOf(workspace: Workspace, tile: TileKey, against?: TileKey): number {
  let ratio = 0;
  const note = (split: Split): Split => {
    ratio = split.ratio;
    return split;
  };
  if (against === undefined) withParent(workspace, tile, note);
  else withSeparating(workspace, tile, against, note);
  return ratio;
}

/**
 * Toggles the tile's parent split between horizontal and vertical.
 * @throws RemoteError `no_split` if the tile is alone
 */
export function toggleDirection(workspace: Workspace, tile: TileKey): Workspace {
  return withParent(workspace, tile, (split) => ({
    ...split,
    direction: split.direction === "horizontal" ? "vertical" : "horizontal",
  }));
}

function withParent(workspace: Workspace, tile: TileKey, change: (split: Split) => Split): Workspace {
  requireGroup(workspace, tile);
  const { root } = workspace;
  if (root === null || parentOf(root, tile) === null) {
    throw new RemoteError("no_split", `Tile ${tile} stands alone in its workspace, so there is no split to change.`);
  }
  return { ...workspace, root: changeParent(root, tile, change), maximized: null };
}

function withSeparating(
  workspace: Workspace,
  tile: TileKey,
  against: TileKey,
  change: (split: Split) => Split,
): Workspace {
  if (requireGroup(workspace, tile) === requireGroup(workspace, against) || workspace.root === null) {
    throw new RemoteError("no_split", `Tiles ${tile} and ${against} are in one place, so no split separates them.`);
  }
  return { ...workspace, root: changeSeparatingSplit(workspace.root, tile, against, change), maximized: null };
}
