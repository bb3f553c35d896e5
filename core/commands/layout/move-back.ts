import { z } from "zod";
import { withTilesBack } from "../../layout/home.ts";
import type { Workspace } from "../../layout/layout.ts";
import { tilesOf } from "../../layout/workspace.ts";
import { RemoteError } from "../../protocol/errors.ts";
import { TileResult } from "../../protocol/records.ts";
import type { ClientState } from "../../state/client-state.ts";
import { mainIndex, withWorkspace, workspaceOf } from "../../state/client-state.ts";
import type { Viewport } from "../../state/ports.ts";
import { command } from "../command.ts";
import { tileTarget } from "../fields.ts";
import { withTilePlaced } from "../place-tile.ts";

export const moveBack = command({
  area: "layout",
  summary: "Move a tile in a window of its own back to where it was",
  details:
    "With the other tiles of that window, which closes. Where nothing is left beside which the tile was, the tiles go to an empty workspace, else to the one in the main window. `breakTile` with `window` moves a tile to a window of its own.",
  params: z.object({ tile: tileTarget }),
  result: TileResult.extend({ workspace: z.int() }),
  role: "writer",
  scope: "client",
  touches: "screen",
  cli: [{ name: "move-back", examples: ["move-back", "move-back --tile 3"] }],
  run(context, { tile }) {
    const { key } = context.tile(tile);
    const { state, host } = context;
    const index = workspaceOf(state.now, key);
    const from = state.now.workspaces[index];
    if (from?.window === undefined) {
      throw new RemoteError("invalid_request", `Tile ${key} is in no window of its own.`);
    }
    state.update((now) => withoutWindow(now, index, from, host.viewport()));
    return { key, workspace: workspaceOf(state.now, key) };
  },
});

function withoutWindow(now: ClientState, index: number, from: Workspace, viewport: Viewport): ClientState {
  const home = from.window?.home;
  const near = home?.tiles.find((key) => key in now.tiles && !from.recent.includes(key));
  const to = near === undefined ? withRoom(now) : workspaceOf(now, near);
  const back = withWorkspace(now, to, (workspace) =>
    home === undefined || near === undefined
      ? tilesOf(from).reduce((grown, key) => withTilePlaced(grown, key, viewport), workspace)
      : withTilesBack(workspace, from, home),
  );
  const left = withWorkspace(back, index, (workspace) => ({ ...workspace, root: null, maximized: null, recent: [] }));
  return { ...left, active: to };
}

/** Returns the index of an empty workspace of the main window, else of the one that it shows. */
function withRoom(now: ClientState): number {
  const empty = now.workspaces.findIndex(({ root, window }) => root === null && window === undefined);
  return empty === -1 ? mainIndex(now) : empty;
}
