import { z } from "zod";
import { focusTile as focused } from "../../layout/focus.ts";
import { TileKey } from "../../protocol/ids.ts";
import { TileResult } from "../../protocol/records.ts";
import { withWorkspace, workspaceOf } from "../../state/client-state.ts";
import { command } from "../command.ts";

export const focusTile = command({
  area: "layout",
  summary: "Focus a tile; shows its workspace",
  params: z.object({ key: TileKey.describe("the tile") }),
  result: TileResult,
  role: "writer",
  scope: "client",
  touches: { tiles: ["key"] },
  cli: [{ name: "focus-tile", args: ["key"], examples: ["focus-tile 2"] }],
  run(context, { key }) {
    context.tile(key);
    context.state.update((now) => {
      const index = workspaceOf(now, key);
      const next = withWorkspace(now, index, (workspace) => focused(workspace, key));
      return next.active === index ? next : { ...next, active: index };
    });
    return { key };
  },
});
