import { z } from "zod";
import { rectanglesOf } from "../../layout/geometry.ts";
import { TileGeometry } from "../../protocol/records.ts";
import { activeWorkspace } from "../../state/client-state.ts";
import { command } from "../command.ts";
import { tileDetails } from "../tile-records.ts";

export const getLayoutGeometry = command({
  area: "layout",
  summary: "List the tiles of the visible workspace with position and size",
  details:
    "Fractions of the workspace from 0 to 1, origin top left. A tile behind another tab has its group's rectangle. A maximized tile has all of the workspace and says so; the others keep their places behind it.",
  params: z.object({}),
  result: z.object({ tiles: z.array(TileGeometry) }),
  role: "reader",
  reads: "the titles and addresses of tiles",
  scope: "client",
  cli: [{ name: "get-layout" }],
  run({ state: { now }, mirror }) {
    const tiles = [];
    const workspace = activeWorkspace(now);
    for (const { key, x, y, w, h } of rectanglesOf(workspace)) {
      const tile = now.tiles[key];
      if (tile === undefined) continue;
      tiles.push({ key, type: tile.type, id: tile.id, x, y, w, h, ...tileDetails(tile, mirror, workspace.maximized) });
    }
    return { tiles };
  },
});
