import { z } from "zod";
import { swapTiles as swapped } from "../../layout/move-tile.ts";
import { RemoteError } from "../../protocol/errors.ts";
import { TileKey } from "../../protocol/ids.ts";
import { TileResult } from "../../protocol/records.ts";
import { workspaceOf } from "../../state/client-state.ts";
import { changeLayout } from "../change-layout.ts";
import { command } from "../command.ts";

export const swapTiles = command({
  area: "layout",
  summary: "Swap the positions of two tiles of a workspace; they keep their keys",
  params: z.object({ keyA: TileKey.describe("one tile"), keyB: TileKey.describe("the other tile") }),
  result: TileResult,
  role: "writer",
  scope: "client",
  touches: { tiles: ["keyA", "keyB"] },
  cli: [{ name: "swap-tiles", args: ["keyA", "keyB"], examples: ["swap-tiles 1 2"] }],
  run(context, { keyA, keyB }) {
    context.tile(keyA);
    context.tile(keyB);
    if (workspaceOf(context.state.now, keyA) !== workspaceOf(context.state.now, keyB)) {
      throw new RemoteError(
        "invalid_request",
        `Tiles ${keyA} and ${keyB} are in different workspaces: give two of one.`,
      );
    }
    return changeLayout(context, keyA, (workspace) => swapped(workspace, keyA, keyB));
  },
});
