import { RemoteError } from "../protocol/errors.ts";
import type { TileKey } from "../protocol/ids.ts";
import { ratioBounds, type Split, type Workspace } from "./layout.ts";
import { changeParent, parentOf } from "./tree.ts";
import { requireGroup } from "./workspace.ts";

/** Sets the share of `first` in the tile's parent split; RemoteError `no_split` when the tile stands alone. */
export function setRatio(workspace: Workspace, tile: TileKey, ratio: number): Workspace {
  const { min, max } = ratioBounds;
  // Written so that NaN is refused too.
  if (!(ratio >= min && ratio <= max)) {
    throw new RemoteError("invalid_params", `params.ratio: expected a number from ${min} to ${max}, got ${ratio}`);
  }
  return withParent(workspace, tile, (split) => ({ ...split, ratio }));
}

/** Flips the tile's parent split between horizontal and vertical; RemoteError `no_split` when the tile stands alone. */
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
    throw new RemoteError("no_split", `tile ${tile} stands alone in its workspace, so there is no split to change`);
  }
  return { ...workspace, root: changeParent(root, tile, change), maximized: null };
}
