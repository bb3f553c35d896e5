import { z } from "zod";
import { toggleMaximize } from "../../layout/focus.ts";
import { TileResult } from "../../protocol/records.ts";
import { workspaceOf } from "../../state/client-state.ts";
import { changeLayout } from "../change-layout.ts";
import { command } from "../command.ts";
import { tileTarget } from "../fields.ts";

export const maximize = command({
  area: "layout",
  summary: "Let a tile fill the workspace; repeat to restore it",
  params: z.object({ tile: tileTarget }),
  result: TileResult.extend({ maximized: z.boolean() }),
  role: "writer",
  scope: "client",
  touches: { tile: "tile" },
  cli: [{ name: "maximize", examples: ["maximize", "maximize --tile 2"] }],
  run(context, { tile }) {
    const { key } = changeLayout(context, tile, toggleMaximize);
    const { now } = context.state;
    return { key, maximized: now.workspaces[workspaceOf(now, key)]?.maximized === key };
  },
});
