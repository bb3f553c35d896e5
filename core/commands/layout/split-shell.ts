import { z } from "zod";
import { TileKey } from "../../protocol/ids.ts";
import { TileResult } from "../../protocol/records.ts";
import { command } from "../command.ts";
import { focusNew } from "../fields.ts";
import { isEmpty, type Place, placeTile, sizeOfNewTile } from "../place-tile.ts";

export const splitShell = command({
  area: "layout",
  summary: "Split a tile in two; a new shell opens in the second half",
  details:
    "`horizontal` puts the two side by side, `vertical` one above the other. In an empty workspace the new shell fills it. The shell starts in the folder of the shell that is split.",
  params: z.object({
    direction: z.enum(["horizontal", "vertical"]).default("horizontal").describe("how the two halves lie"),
    tile: TileKey.optional().describe(
      "tile to split; default: the tile of the shell you are in, else the focused tile",
    ),
    cwd: z.string().min(1).max(4096).optional().describe("working directory; default: that of the shell that is split"),
    command: z.string().min(1).max(65_536).optional().describe("first command line of the new shell"),
    focus: focusNew,
  }),
  result: TileResult,
  role: "writer",
  scope: "client",
  touches: { tile: "tile" },
  cli: [
    {
      name: "split-h",
      preset: { direction: "horizontal" },
      summary: "Split a tile into left and right; a new shell opens on the right",
      examples: ["split-h", "split-h --tile 3 --command htop"],
    },
    {
      name: "split-v",
      preset: { direction: "vertical" },
      summary: "Split a tile into top and bottom; a new shell opens below",
      examples: ["split-v --no-focus"],
    },
  ],
  async run(context, { direction, tile, cwd, command: line, focus }) {
    const fills = tile === undefined && isEmpty(context.state.now);
    const target = fills ? undefined : context.tile(tile);
    const place: Place = target === undefined ? { kind: "roomiest" } : { kind: "split", target: target.key, direction };
    const beside = target?.type === "shell" ? context.mirror.shells.find((shell) => shell.id === target.id) : undefined;
    const size = sizeOfNewTile(context, place);
    const { shell } = await context.ask("createShell", { cwd: cwd ?? beside?.cwd, command: line, ...size });
    const key = placeTile(context, { place, focus, content: { type: "shell", id: shell.id } });
    context.hit.tile = key;
    context.hit.shell = shell.id;
    return { key, shellId: shell.id };
  },
});
