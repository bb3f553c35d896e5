import { z } from "zod";
import { cycleTab } from "../../layout/focus.ts";
import { TileResult } from "../../protocol/records.ts";
import { command } from "../command.ts";
import { tileTarget } from "../fields.ts";
import { changeFrontTab } from "./change-front-tab.ts";

export const prevTab = command({
  area: "tabs",
  summary: "Bring the previous tab of a tab group to the front; wraps around",
  params: z.object({ tile: tileTarget }),
  result: TileResult,
  role: "writer",
  scope: "client",
  touches: { tile: "tile" },
  cli: [{ name: "prev-tab" }],
  run: (context, { tile }) => changeFrontTab(context, tile, (workspace, key) => cycleTab(workspace, key, -1)),
});
