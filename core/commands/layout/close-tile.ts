import { z } from "zod";
import { TileResult } from "../../protocol/records.ts";
import { withoutTiles } from "../../state/client-state.ts";
import { command } from "../command.ts";
import { tileTarget } from "../fields.ts";

export const closeTile = command({
  area: "layout",
  summary: "Close a tile; the shell in it keeps running",
  params: z.object({ tile: tileTarget }),
  result: TileResult,
  role: "writer",
  scope: "client",
  touches: { tile: "tile" },
  cli: [{ name: "close-tile", examples: ["close-tile", "close-tile --tile 4"] }],
  run(context, { tile }) {
    const { key } = context.tile(tile);
    context.state.update((now) => withoutTiles(now, [key]));
    return { key };
  },
});
