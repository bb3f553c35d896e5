import type { Workspace } from "../layout/layout.ts";
import type { TileKey } from "../protocol/ids.ts";
import { withWorkspace, workspaceOf } from "../state/client-state.ts";
import type { CommandContext } from "./context.ts";

/** Resolves the target tile and changes the workspace that contains it. Returns the tile's key. */
export function changeLayout(
  context: CommandContext,
  given: TileKey | undefined,
  change: (workspace: Workspace, tile: TileKey) => Workspace,
): { key: TileKey } {
  const { key } = context.tile(given);
  context.state.update((now) => withWorkspace(now, workspaceOf(now, key), (workspace) => change(workspace, key)));
  return { key };
}
