import { z } from "zod";
import { closeTile } from "../../layout/close-tile.ts";
import { homeOf } from "../../layout/home.ts";
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
  details:
    "The workspace is appended, as `createWorkspace` does it; the tile keeps its key. As tmux's break-pane. With `window` the workspace has a window of its own, until its tiles are moved back (`moveBack`) or closed. Browsers open a window only for their user, and show it as another workspace otherwise.",
  params: z.object({
    tile: tileTarget,
    name: workspaceName.optional().describe("name of the workspace; default: its number"),
    focus: z.boolean().default(true).describe("show the new workspace"),
    window: z.boolean().default(false).describe("show it in a window of its own, where the client has one"),
  }),
  result: TileResult.extend({ workspace: z.int() }),
  role: "writer",
  scope: "client",
  touches: "screen",
  cli: [
    {
      name: "break-tile",
      examples: ["break-tile", "break-tile --tile 3 --name logs --no-focus", "break-tile --window"],
    },
  ],
  run(context, { tile, name, focus, window }) {
    const { key } = context.tile(tile);
    const { workspaces, nextKey } = context.state.now;
    const { length } = workspaces;
    const from = workspaces[workspaceOf(context.state.now, key)];
    if (window && from?.window !== undefined && from.recent.length === 1) {
      throw new RemoteError("invalid_request", `Tile ${key} is in a window of its own already.`);
    }
    if (length >= limits.workspaces) {
      throw new RemoteError(
        "limit_reached",
        `A client holds at most ${limits.workspaces} workspaces: close one first.`,
      );
    }
    const own = window ? { window: { id: nextKey, home: homeOf(from?.root ?? null, key) } } : {};
    const page = { ...addFirstTile(emptyWorkspace(name ?? String(length + 1)), key), ...own };
    context.state.update((now): ClientState => {
      const without = withWorkspace(now, workspaceOf(now, key), (workspace) => closeTile(workspace, key));
      const [first, ...others] = without.workspaces;
      return {
        ...without,
        workspaces: [first, ...others, page],
        active: focus ? length : now.active,
        nextKey: window ? nextKey + 1 : nextKey,
      };
    });
    return { key, workspace: workspaceOf(context.state.now, key) };
  },
});
