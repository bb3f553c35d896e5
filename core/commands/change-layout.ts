import type { Workspace } from "../layout/layout.ts";
import type { TileKey } from "../protocol/ids.ts";
import { withWorkspace, workspaceOf } from "../state/client-state.ts";
import type { CommandContext } from "./context.ts";

/** Resolves the tile that is meant, changes the workspace that holds it, and answers as every layout command does. */
export function changeLayout(
  context: CommandContext,
  given: TileKey | undefined,
  change: (workspace: Workspace, tile: TileKey) => Workspace,
): { key: TileKey } {
  const { key } = context.tile(given);
  context.state.update((now) => withWorkspace(now, workspaceOf(now, key), (workspace) => change(workspace, key)));
  return { key };
}
