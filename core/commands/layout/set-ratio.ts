import { z } from "zod";
import { ratioBounds } from "../../layout/layout.ts";
import { ratioOf, setRatio as withRatio } from "../../layout/splits.ts";
import { TileKey } from "../../protocol/ids.ts";
import { TileResult } from "../../protocol/records.ts";
import { changeLayout } from "../change-layout.ts";
import { command } from "../command.ts";
import { exactlyOneOf, tileTarget } from "../fields.ts";

export const setRatio = command({
  area: "layout",
  summary: "Set how space is divided between two tiles",
  details:
    "The ratio is the share of the first of the two (left or top) in the split around the tile. `delta` changes it by that much instead, and stops at 0.1 and 0.9. The answer has the ratio as it is now.",
  params: exactlyOneOf(
    z.object({
      ratio: z
        .number()
        .min(0.1)
        .max(0.9)
        .optional()
        .describe("share of the first tile; needed unless `delta` is given"),
      delta: z.number().min(-0.8).max(0.8).optional().describe("change of that share, for example -0.1"),
      tile: tileTarget,
      against: TileKey.optional().describe(
        "set the split that separates `tile` from this one, instead of the parent split",
      ),
    }),
    ["ratio", "delta"],
  ),
  result: TileResult.extend({ ratio: z.number() }),
  role: "writer",
  scope: "client",
  touches: { tile: "tile", tiles: ["against"] },
  cli: [
    {
      name: "set-ratio",
      args: ["ratio"],
      instead: { ratio: { form: "signed", param: "delta" } },
      note: "A number with a sign changes the ratio by that much: +0.1, -0.1.",
      examples: ["set-ratio 0.3", "set-ratio 0.7 --tile 2", "set-ratio +0.1"],
    },
  ],
  run(context, { ratio, delta, tile, against }) {
    if (against !== undefined) context.tile(against);
    let share = 0;
    const { key } = changeLayout(context, tile, (workspace, of) => {
      share = ratio ?? changedRatio(ratioOf(workspace, of, against), delta ?? 0);
      return withRatio(workspace, of, share, against);
    });
    return { key, ratio: share };
  },
});

/** Returns the changed ratio, clamped to its bounds and without binary rounding noise. */
function changedRatio(ratio: number, delta: number): number {
  const { min, max } = ratioBounds;
  return Math.min(max, Math.max(min, Math.round((ratio + delta) * 1e6) / 1e6));
}
