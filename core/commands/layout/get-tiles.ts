import { z } from "zod";
import { Tile } from "../../protocol/records.ts";
import { command } from "../command.ts";
import { activeTiles, allTiles } from "../tile-records.ts";

export const getTiles = command({
  area: "layout",
  summary: "List the tiles of the visible workspace",
  details: "What a tile shows is told where it is known: title and folder of a shell, label, address, plugin.",
  params: z.object({ all: z.boolean().default(false).describe("the tiles of all workspaces") }),
  result: z.array(Tile),
  role: "reader",
  reads: "the titles and addresses of tiles",
  scope: "client",
  shortcut: "tiles",
  cli: [
    {
      name: "list-tiles",
      examples: ["list-tiles", "list-tiles --json", "list-tiles --all --format '{key}\\t{title}'"],
    },
    {
      name: "list-user-tiles",
      clientArg: "user_id",
      summary: "List the tiles of another client's visible workspace",
      examples: ["list-user-tiles 2"],
    },
  ],
  run: ({ state, mirror }, { all }) => (all ? allTiles : activeTiles)(state.now, mirror),
});
