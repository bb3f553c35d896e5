import { z } from "zod";
import { closeTile } from "../../layout/close-tile.ts";
import { addFirstTile } from "../../layout/open-tile.ts";
import { emptyWorkspace } from "../../layout/workspace.ts";
import { RemoteError } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { TileResult } from "../../protocol/records.ts";
import { type ClientState, withWorkspace, workspaceOf } from "../../state/client-state.ts";
import { command } from "../command.ts";
import { tileTarget } from "../fields.ts";
import { workspaceName } from "../workspaces/workspace-name.ts";

export const breakTile = command({
  area: "layout",
  summary: "Move a tile into a new workspace of its own",
  details: "The workspace is appended, as `createWorkspace` does it; the tile keeps its key. As tmux's break-pane.",
  params: z.object({
    tile: tileTarget,
    name: workspaceName.optional().describe("name of the workspace; default: its number"),
    focus: z.boolean().default(true).describe("show the new workspace"),
  }),
  result: TileResult.extend({ workspace: z.int() }),
  role: "writer",
  scope: "client",
  touches: "screen",
  cli: [{ name: "break-tile", examples: ["break-tile", "break-tile --tile 3 --name logs --no-focus"] }],
  run(context, { tile, name, focus }) {
    const { key } = context.tile(tile);
    const { length } = context.state.now.workspaces;
    if (length >= limits.workspaces) {
      throw new RemoteError(
        "limit_reached",
        `A client holds at most ${limits.workspaces} workspaces: close one first.`,
      );
    }
    const page = addFirstTile(emptyWorkspace(name ?? String(length + 1)), key);
    context.state.update((now): ClientState => {
      const without = withWorkspace(now, workspaceOf(now, key), (workspace) => closeTile(workspace, key));
      const [first, ...others] = without.workspaces;
      return { ...without, workspaces: [first, ...others, page], active: focus ? length : now.active };
    });
    return { key, workspace: length };
  },
});
