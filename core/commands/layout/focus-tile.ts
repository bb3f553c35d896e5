import { z } from "zod";
import { TileKey } from "../../protocol/ids.ts";
import { TileResult } from "../../protocol/records.ts";
import { withFocus } from "../../state/client-state.ts";
import { command } from "../command.ts";

export const focusTile = command({
  area: "layout",
  summary: "Focus a tile; shows its workspace",
  params: z.object({ key: TileKey.describe("the tile") }),
  result: TileResult,
  role: "writer",
  scope: "client",
  touches: { tiles: ["key"] },
  cli: [{ name: "focus-tile", args: ["key"], examples: ["focus-tile 2"] }],
  run(context, { key }) {
    context.tile(key);
    context.state.update((now) => withFocus(now, key));
    return { key };
  },
});
