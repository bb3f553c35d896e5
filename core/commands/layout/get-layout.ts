import { z } from "zod";
import { Tile } from "../../protocol/records.ts";
import { command } from "../command.ts";
import { activeTiles } from "../tile-records.ts";

export const getLayout = command({
  area: "layout",
  summary: "List the tiles of the visible workspace: key, type and whether it has the focus",
  params: z.object({}),
  result: z.array(Tile.pick({ key: true, type: true, active: true })),
  role: "reader",
  reads: "the titles and addresses of tiles",
  scope: "client",
  cli: [],
  run: ({ state, mirror }) => activeTiles(state.now, mirror).map(({ key, type, active }) => ({ key, type, active })),
});
