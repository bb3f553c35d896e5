import { z } from "zod";
import { resetLayout as reset } from "../../layout/grid.ts";
import { TileKey } from "../../protocol/ids.ts";
import { focusOf, withWorkspace } from "../../state/client-state.ts";
import { command } from "../command.ts";

export const resetLayout = command({
  area: "layout",
  summary: "Lay all tiles of the workspace out in a balanced grid",
  details:
    "Tiles keep their reading order, tab groups stay together. The key is the focused tile's, null where there is none.",
  params: z.object({}),
  result: z.object({ key: TileKey.nullable() }),
  role: "writer",
  scope: "client",
  touches: "workspace",
  cli: [{ name: "reset-layout" }],
  run({ state }) {
    state.update((now) => withWorkspace(now, now.active, reset));
    return { key: focusOf(state.now) };
  },
});
