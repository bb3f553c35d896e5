import { z } from "zod";
import { LayoutShape, resetLayout as reset } from "../../layout/grid.ts";
import { TileKey } from "../../protocol/ids.ts";
import { focusOf, withWorkspace } from "../../state/client-state.ts";
import { command } from "../command.ts";

export const resetLayout = command({
  area: "layout",
  summary: "Lay all tiles of the workspace out in a balanced grid or another shape",
  details:
    "Tiles keep their reading order, tab groups stay together. `main-left` and `main-top` give the focused tile most of the room, at that side. The key is the focused tile's, null where there is none.",
  params: z.object({ shape: LayoutShape.default("grid").describe("how the tiles are laid out") }),
  result: z.object({ key: TileKey.nullable() }),
  role: "writer",
  scope: "client",
  touches: "workspace",
  cli: [{ name: "reset-layout", examples: ["reset-layout", "reset-layout --shape main-left"] }],
  run({ state }, { shape }) {
    state.update((now) => withWorkspace(now, now.active, (workspace) => reset(workspace, shape)));
    return { key: focusOf(state.now) };
  },
});
