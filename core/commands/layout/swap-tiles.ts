import { z } from "zod";
import { replaceTile, swapTiles as swapped } from "../../layout/move-tile.ts";
import { TileKey } from "../../protocol/ids.ts";
import { TileResult } from "../../protocol/records.ts";
import { withWorkspace, workspaceOf } from "../../state/client-state.ts";
import { changeLayout } from "../change-layout.ts";
import { command } from "../command.ts";

export const swapTiles = command({
  area: "layout",
  summary: "Swap two tiles, also between workspaces; they keep their keys",
  params: z.object({ keyA: TileKey.describe("one tile"), keyB: TileKey.describe("the other tile") }),
  result: TileResult,
  role: "writer",
  scope: "client",
  touches: { tiles: ["keyA", "keyB"] },
  palette: [
    {
      title: "Swap the tile with another…",
      submit: "Swap",
      focused: "keyA",
      fields: { keyB: { label: "With", pick: "other-tile" } },
    },
  ],
  cli: [{ name: "swap-tiles", args: ["keyA", "keyB"], examples: ["swap-tiles 1 2"] }],
  run(context, { keyA, keyB }) {
    context.tile(keyA);
    context.tile(keyB);
    const { now } = context.state;
    const [a, b] = [workspaceOf(now, keyA), workspaceOf(now, keyB)];
    if (a === b) return changeLayout(context, keyA, (workspace) => swapped(workspace, keyA, keyB));
    context.state.update((state) => {
      const half = withWorkspace(state, a, (workspace) => replaceTile(workspace, keyA, keyB));
      return withWorkspace(half, b, (workspace) => replaceTile(workspace, keyB, keyA));
    });
    return { key: keyA };
  },
});
