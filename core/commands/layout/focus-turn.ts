import { z } from "zod";
import { focusTile } from "../../layout/focus.ts";
import { readingOrder } from "../../layout/geometry.ts";
import { RemoteError } from "../../protocol/errors.ts";
import { TileResult } from "../../protocol/records.ts";
import { activeWorkspace, focusOf, withWorkspace } from "../../state/client-state.ts";
import { command } from "../command.ts";

export const focusTurn = command({
  area: "layout",
  summary: "Focus the next or the previous tile in reading order, round the end",
  details: "Of a tab group only the tab in front takes part. Where there is only one place, `moved` is false.",
  params: z.object({ to: z.enum(["next", "previous"]).default("next").describe("which way round") }),
  result: TileResult.extend({ moved: z.boolean() }),
  role: "writer",
  scope: "client",
  touches: "screen",
  cli: [
    { name: "focus-next", preset: { to: "next" }, summary: "Focus the next tile in reading order; wraps around" },
    {
      name: "focus-prev",
      preset: { to: "previous" },
      summary: "Focus the previous tile in reading order; wraps around",
    },
  ],
  run({ state, hit }, { to }) {
    const focus = focusOf(state.now);
    if (focus === null) throw new RemoteError("unknown_tile", "The workspace is empty: create a shell first.");
    const fronts = readingOrder(activeWorkspace(state.now).root).map((group) => group.front);
    const key = fronts.at((fronts.indexOf(focus) + (to === "next" ? 1 : -1)) % fronts.length) ?? focus;
    state.update((now) => withWorkspace(now, now.active, (workspace) => focusTile(workspace, key)));
    hit.tile = key;
    return { key, moved: key !== focus };
  },
});
