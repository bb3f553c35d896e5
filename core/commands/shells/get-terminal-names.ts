import { z } from "zod";
import { ShellId } from "../../protocol/ids.ts";
import { command } from "../command.ts";

export const getTerminalNames = command({
  area: "shells",
  summary: "List the names of shells as the client shows them: its labels, else the titles",
  params: z.object({}),
  result: z.array(z.object({ id: ShellId, title: z.string() })),
  role: "reader",
  reads: "the titles of shells",
  scope: "client",
  onScreen: false,
  cli: [{ name: "get-terminal-names" }],
  run({ mirror, state }) {
    const labels = new Map<number, string>();
    for (const tile of Object.values(state.now.tiles)) {
      if (tile.type === "shell" && tile.label !== undefined) labels.set(tile.id, tile.label);
    }
    return mirror.shells.map(({ id, title }) => ({ id, title: labels.get(id) ?? title }));
  },
});
