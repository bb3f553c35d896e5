import type { Workspace } from "../../layout/layout.ts";
import { groupOf } from "../../layout/tree.ts";
import type { TileKey } from "../../protocol/ids.ts";
import { workspaceOf } from "../../state/client-state.ts";
import { changeLayout } from "../change-layout.ts";
import type { CommandContext } from "../context.ts";

/** Changes the front tab of the tile's group. Returns the key of the new front tab. */
export function changeFrontTab(
  context: CommandContext,
  given: TileKey | undefined,
  change: (workspace: Workspace, tile: TileKey) => Workspace,
): { key: TileKey } {
  const { key } = changeLayout(context, given, change);
  const { now } = context.state;
  const root = now.workspaces[workspaceOf(now, key)]?.root;
  const front = root === null || root === undefined ? key : (groupOf(root, key)?.front ?? key);
  context.hit.tile = front;
  return { key: front };
}
