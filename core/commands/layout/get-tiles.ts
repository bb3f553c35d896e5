import { z } from "zod";
import { Tile } from "../../protocol/records.ts";
import { command } from "../command.ts";
import { tilesOnShow } from "../tiles-on-show.ts";

export const getTiles = command({
  area: "layout",
  summary: "Tiles of the workspace on show",
  params: z.object({}),
  result: z.array(Tile),
  role: "reader",
  scope: "client",
  shortcut: "tiles",
  cli: [
    { name: "list-tiles", examples: ["list-tiles", "list-tiles --json"] },
    {
      name: "list-user-tiles",
      clientArg: "user_id",
      summary: "Tiles of the workspace that another client has on show",
      examples: ["list-user-tiles 2"],
    },
  ],
  run: ({ state }) => tilesOnShow(state.now),
});
