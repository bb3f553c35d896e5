import { z } from "zod";
import { setRatio as withRatio } from "../../layout/splits.ts";
import { TileKey } from "../../protocol/ids.ts";
import { TileResult } from "../../protocol/records.ts";
import { changeLayout } from "../change-layout.ts";
import { command } from "../command.ts";
import { tileTarget } from "../fields.ts";

export const setRatio = command({
  area: "layout",
  summary: "Set how space is divided between two tiles",
  details: "The ratio is the share of the first of the two (left or top) in the split around the tile.",
  params: z.object({
    ratio: z.number().min(0.1).max(0.9).describe("share of the first tile"),
    tile: tileTarget,
    against: TileKey.optional().describe(
      "set the split that separates `tile` from this one, instead of the parent split",
    ),
  }),
  result: TileResult,
  role: "writer",
  scope: "client",
  touches: { tile: "tile", tiles: ["against"] },
  cli: [{ name: "set-ratio", args: ["ratio"], examples: ["set-ratio 0.3", "set-ratio 0.7 --tile 2"] }],
  run(context, { ratio, tile, against }) {
    if (against !== undefined) context.tile(against);
    return changeLayout(context, tile, (workspace, key) => withRatio(workspace, key, ratio, against));
  },
});
