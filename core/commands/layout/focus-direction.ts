import { z } from "zod";
import { focusTile } from "../../layout/focus.ts";
import { neighbour } from "../../layout/neighbours.ts";
import { RemoteError } from "../../protocol/errors.ts";
import { TileResult } from "../../protocol/records.ts";
import { activeWorkspace, focusOf, withWorkspace } from "../../state/client-state.ts";
import { command } from "../command.ts";

export const focusDirection = command({
  area: "layout",
  summary: "Focus the neighbouring tile in a direction",
  details: "At the edge the focus stays where it is, and `moved` is false.",
  params: z.object({ direction: z.enum(["left", "right", "up", "down"]).describe("where to go") }),
  result: TileResult.extend({ moved: z.boolean() }),
  role: "writer",
  scope: "client",
  touches: "screen",
  cli: [{ name: "focus-direction", args: ["direction"], examples: ["focus-direction left"] }],
  run({ state, hit }, { direction }) {
    const from = focusOf(state.now);
    if (from === null) throw new RemoteError("unknown_tile", "The workspace is empty: create a shell first.");
    const to = neighbour(activeWorkspace(state.now), from, direction);
    if (to !== null) state.update((now) => withWorkspace(now, now.active, (workspace) => focusTile(workspace, to)));
    hit.tile = to ?? from;
    return { key: to ?? from, moved: to !== null };
  },
});
