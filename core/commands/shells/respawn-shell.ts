import { z } from "zod";
import { ShellId, TileKey } from "../../protocol/ids.ts";
import { command } from "../command.ts";
import { exactlyOneOf } from "../fields.ts";
import { resolveShell, shellTarget } from "./resolve-shell.ts";

export const respawnShell = command({
  area: "shells",
  summary: "Run an ended shell's program again, in the same tile",
  details:
    "A new shell with a new id takes the place of the old one in every tile that shows it, started as the old one was: program, arguments, folder, variables, first command line, title. The old shell is forgotten with its output. A shell that still runs is refused, unless `force` ends it first; only an admin may do that to another user's shell.",
  params: exactlyOneOf(
    z.object({ ...shellTarget, force: z.boolean().default(false).describe("end it first if it still runs") }),
    ["id", "match"],
  ),
  result: z.object({ shellId: ShellId, key: TileKey.optional() }),
  role: "writer",
  scope: "session",
  touches: { shell: "id" },
  cli: [
    {
      name: "respawn-shell",
      args: ["id"],
      instead: { id: { param: "match" } },
      examples: ["respawn-shell 2", "respawn-shell --match title:server"],
    },
  ],
  async run(context, { id, match, force }) {
    const old = resolveShell(context, { id, match });
    // Before the new shell is there, whose place in the tiles is each client's own to make.
    const tile = Object.values(context.state.now.tiles).find(
      ({ type, id: shown }) => type === "shell" && shown === old.id,
    );
    const { shell } = await context.ask("respawnShell", { shell: old.id, force });
    context.hit.shell = shell.id;
    context.hit.tile = tile?.key;
    return { shellId: shell.id, ...(tile === undefined ? {} : { key: tile.key }) };
  },
});
