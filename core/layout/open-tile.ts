import { RemoteError } from "../protocol/errors.ts";
import type { TileKey } from "../protocol/ids.ts";
import { insertBeside, insertTab } from "./insert.ts";
import { type Direction, maxTiles, type Workspace } from "./layout.ts";
import { promote, tabGroup } from "./recency.ts";
import { requireGroup } from "./workspace.ts";

/** Whether the new tile takes the focus; the default is true (docs/decisions/0005). */
interface FocusOption {
  readonly focus?: boolean | undefined;
}

/** Adds the first tile of an empty workspace and focuses it. */
export function addFirstTile(workspace: Workspace, key: TileKey): Workspace {
  if (workspace.root)
    throw new RemoteError("workspace_not_empty", "The workspace has tiles already; split one of them.");
  return { ...workspace, root: tabGroup([key], [key]), maximized: null, recent: [key] };
}

/** Halves the target's group: the new tile is `second` (docs/decisions/0005). */
export function splitTile(
  workspace: Workspace,
  target: TileKey,
  key: TileKey,
  direction: Direction,
  option: FocusOption = {},
): Workspace {
  requireGroup(workspace, target);
  const place = direction === "horizontal" ? "right" : "down";
  const next = withNewKey(workspace, key, option);
  return { ...next, root: next.root && insertBeside(next.root, { target, key, place }) };
}

/** Inserts the new tile into the target's group, directly after the target. Without focus, the front tab stays. */
export function addTab(workspace: Workspace, target: TileKey, key: TileKey, option: FocusOption = {}): Workspace {
  requireGroup(workspace, target);
  const next = withNewKey(workspace, key, option);
  return { ...next, root: next.root && insertTab(next.root, { target, key, recent: next.recent }) };
}

/** Restores a maximized workspace and adds the key to the focus history: first with focus, last without. */
export function withNewKey(workspace: Workspace, key: TileKey, { focus = true }: FocusOption): Workspace {
  const { recent } = workspace;
  if (recent.includes(key)) throw new RemoteError("invalid_request", `Tile ${key} is in the workspace already.`);
  if (recent.length >= maxTiles) {
    throw new RemoteError(
      "limit_reached",
      `A workspace holds at most ${maxTiles} tiles; close one or use another page.`,
    );
  }
  return { ...workspace, maximized: null, recent: focus ? promote(recent, key) : [...recent, key] };
}
