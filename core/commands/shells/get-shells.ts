import { z } from "zod";
import { ShellListing } from "../../protocol/records.ts";
import type { TileContent } from "../../state/client-state.ts";
import { command } from "../command.ts";

export const getShells = command({
  area: "shells",
  summary: "List the shells of the session, including ended ones",
  params: z.object({}),
  result: z.array(ShellListing),
  role: "reader",
  reads: "the titles, folders and command lines of shells",
  scope: "session",
  shortcut: "shells",
  cli: [
    {
      name: "list-shells",
      columns: ["id", "title", "label", "cwd", "process", "running", "exitCode", "owner", "idle"],
      examples: ["list-shells", "list-shells --format '{id}\\t{title}\\t{cwd}'"],
    },
  ],
  run({ mirror, state }) {
    const shown = new Map<number, TileContent>();
    for (const tile of Object.values(state.now.tiles)) if (tile.type === "shell") shown.set(tile.id, tile);
    return mirror.shells.map((shell) => {
      const tile = shown.get(shell.id);
      return {
        ...shell,
        ...(tile === undefined ? {} : { tile: tile.key }),
        ...(tile?.label === undefined ? {} : { label: tile.label }),
        activeAt: shell.activeAt ?? shell.createdAt,
      };
    });
  },
});
