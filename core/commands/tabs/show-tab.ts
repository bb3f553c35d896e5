import type { Workspace } from "../../layout/layout.ts";
import { groupOf } from "../../layout/tree.ts";
import type { TileKey } from "../../protocol/ids.ts";
import { workspaceOf } from "../../state/client-state.ts";
import { changeLayout } from "../change-layout.ts";
import type { CommandContext } from "../context.ts";

/** Changes which tab of the tile's group is in front, and answers the key of the tab that is in front now. */
export function showTab(
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
