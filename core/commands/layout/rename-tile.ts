import { z } from "zod";
import { labelText } from "../../protocol/given-name.ts";
import { TileKey } from "../../protocol/ids.ts";
import { limits } from "../../protocol/limits.ts";
import { TileResult } from "../../protocol/records.ts";
import { command } from "../command.ts";

export const renameTile = command({
  area: "layout",
  summary: "Set a label in a tile's title bar; an empty one removes it",
  params: z.object({
    name: labelText(limits.tileNameLength).describe("the label"),
    key: TileKey.optional().describe("the tile; default: the tile of the shell you are in, else the focused tile"),
  }),
  result: TileResult,
  role: "writer",
  scope: "client",
  touches: { tile: "key" },
  cli: [{ name: "rename-tile", args: ["name", "key"], examples: ["rename-tile build", "rename-tile 'API server' 3"] }],
  run(context, { name, key: given }) {
    const { label: _, ...tile } = context.tile(given);
    const renamed = name === "" ? tile : { ...tile, label: name };
    context.state.update((now) => ({ ...now, tiles: { ...now.tiles, [tile.key]: renamed } }));
    return { key: tile.key };
  },
});
