import { z } from "zod";
import { focusTile } from "../../layout/focus.ts";
import { RemoteError } from "../../protocol/errors.ts";
import { TileResult } from "../../protocol/records.ts";
import { activeWorkspace, withWorkspace } from "../../state/client-state.ts";
import { command } from "../command.ts";

export const focusLast = command({
  area: "layout",
  summary: "Focus the previously focused tile of the visible workspace",
  details: "Twice brings the focus back. Where there is only one tile, `moved` is false.",
  params: z.object({}),
  result: TileResult.extend({ moved: z.boolean() }),
  role: "writer",
  scope: "client",
  touches: "screen",
  cli: [{ name: "focus-last" }],
  run({ state, hit }) {
    const [focused, last] = activeWorkspace(state.now).recent;
    if (focused === undefined) throw new RemoteError("unknown_tile", "The workspace is empty: create a shell first.");
    if (last !== undefined)
      state.update((now) => withWorkspace(now, now.active, (workspace) => focusTile(workspace, last)));
    hit.tile = last ?? focused;
    return { key: last ?? focused, moved: last !== undefined };
  },
});
