import { z } from "zod";
import { TileKey } from "../../protocol/ids.ts";
import { TileResult } from "../../protocol/records.ts";
import { closeTilesIfExited } from "../close-on-exit.ts";
import { command } from "../command.ts";
import { focusNew } from "../fields.ts";
import { isEmpty, placeTile, sizeOfNewTile, type TilePlacement } from "../place-tile.ts";
import { checkLaunch, launchDetails, launchFields, launchNote } from "../shells/launch-fields.ts";

export const splitShell = command({
  area: "layout",
  summary: "Split a tile in two; a new shell opens in the second half",
  details: `\`horizontal\` puts the two side by side, \`vertical\` one above the other. In an empty workspace the new shell fills it. The shell starts in the folder of the shell that is split; where that is gone, in the nearest folder above it that is there, else in the home folder, and the answer says so. ${launchDetails}`,
  params: z.object({
    direction: z.enum(["horizontal", "vertical"]).default("horizontal").describe("how the two halves lie"),
    tile: TileKey.optional().describe(
      "tile to split; default: the tile of the shell you are in, else the focused tile",
    ),
    cwd: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe("working directory, by its full path or from ~; default: that of the shell that is split"),
    ...launchFields,
    focus: focusNew,
  }),
  result: TileResult.extend({
    cwd: z.string().optional().describe("where the shell starts, if the folder of the split shell is gone"),
    notice: z.string().optional().describe("that in a sentence for people"),
  }),
  role: "writer",
  scope: "client",
  touches: { tile: "tile" },
  sensitive: ["command", "exec", "env"],
  cli: [
    {
      name: "split-h",
      preset: { direction: "horizontal" },
      paths: ["cwd"],
      summary: "Split a tile into left and right; a new shell opens on the right",
      tail: "exec",
      note: launchNote,
      examples: ["split-h", "split-h --tile 3 --command htop", "split-h --exec htop"],
    },
    {
      name: "split-v",
      preset: { direction: "vertical" },
      paths: ["cwd"],
      summary: "Split a tile into top and bottom; a new shell opens below",
      tail: "exec",
      examples: ["split-v --no-focus", "split-v --hold -- make -j2"],
    },
  ],
  async run(context, { direction, tile, cwd, focus, ...launch }) {
    checkLaunch(launch);
    const given = tile ?? context.sourceTile();
    const fills = given === undefined && isEmpty(context.state.now);
    const target = fills ? undefined : context.tile(given);
    const place: TilePlacement =
      target === undefined ? { kind: "largest" } : { kind: "split", target: target.key, direction };
    const beside = target?.type === "shell" ? context.mirror.shells.find((shell) => shell.id === target.id) : undefined;
    const size = sizeOfNewTile(context, place);
    const start = cwd === undefined ? { cwd: beside?.cwd, nearest: true } : { cwd };
    const { shell } = await context.ask("createShell", { ...start, ...launch, ...size });
    const key = placeTile(context, { placement: place, focus, content: { type: "shell", id: shell.id } });
    context.hit.tile = key;
    context.hit.shell = shell.id;
    closeTilesIfExited(context, shell.id);
    const made = { key, shellId: shell.id };
    if (cwd !== undefined || beside === undefined || shell.cwd === beside.cwd) return made;
    return { ...made, cwd: shell.cwd, notice: `The folder ${beside.cwd} is gone: the shell starts in ${shell.cwd}.` };
  },
});
