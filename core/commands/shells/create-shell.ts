import { z } from "zod";
import { ShellId, TileKey } from "../../protocol/ids.ts";
import { closeTilesIfExited } from "../close-on-exit.ts";
import { command } from "../command.ts";
import { focusNew } from "../fields.ts";
import { placeTile, sizeOfNewTile } from "../place-tile.ts";
import { checkLaunch, launchDetails, launchFields, launchNote } from "./launch-fields.ts";

export const createShell = command({
  area: "shells",
  summary: "Create a shell and show it in a tile of the workspace",
  details: `The largest tile is split along its longer side; the other way, or another tile, if that would leave fewer than 80 columns or 10 rows. The answer comes when the process runs. ${launchDetails}`,
  params: z.object({
    cwd: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe("working directory, by its full path or from ~; default: the home folder"),
    ...launchFields,
    tile: z.boolean().default(true).describe("show the shell in a tile"),
    focus: focusNew,
  }),
  result: z.object({ shellId: ShellId, key: TileKey.optional() }),
  role: "writer",
  scope: "session",
  onScreen: true,
  touches: "new",
  palette: [
    {
      title: "New shell with…",
      submit: "Start",
      fields: {
        cwd: { label: "Folder", help: "Empty: the home folder" },
        command: { label: "First command" },
        title: { label: "Name", help: "Programs in the shell do not change it" },
      },
    },
  ],
  sensitive: ["command", "exec", "env"],
  cli: [
    {
      name: "create-shell",
      paths: ["cwd"],
      tail: "exec",
      note: launchNote,
      examples: [
        "create-shell",
        "create-shell --cwd /tmp --command 'npm test' --no-focus",
        "create-shell --exec htop",
        "create-shell --hold --env CI=1 --title tests -- npm test -- --watch=false",
      ],
    },
  ],
  async run(context, { cwd, tile, focus, ...launch }) {
    checkLaunch(launch);
    const place = { kind: "largest" } as const;
    const size = tile ? sizeOfNewTile(context, place) : {};
    const { shell } = await context.ask("createShell", { cwd, ...launch, ...size });
    context.hit.shell = shell.id;
    if (!tile) return { shellId: shell.id };
    const key = placeTile(context, { placement: place, focus, content: { type: "shell", id: shell.id } });
    context.hit.tile = key;
    closeTilesIfExited(context, shell.id);
    return { shellId: shell.id, key };
  },
});
