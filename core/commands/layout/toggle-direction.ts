import { z } from "zod";
import { toggleDirection as toggled } from "../../layout/splits.ts";
import { TileResult } from "../../protocol/records.ts";
import { changeLayout } from "../change-layout.ts";
import { command } from "../command.ts";
import { tileTarget } from "../fields.ts";

export const toggleDirection = command({
  area: "layout",
  summary: "Turn the split around a tile from horizontal to vertical or back",
  params: z.object({ tile: tileTarget }),
  result: TileResult,
  role: "writer",
  scope: "client",
  touches: { tile: "tile" },
  cli: [{ name: "toggle-direction" }],
  run: (context, { tile }) => changeLayout(context, tile, toggled),
});
