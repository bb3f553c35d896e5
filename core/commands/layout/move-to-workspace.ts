import { z } from "zod";
import { closeTile } from "../../layout/close-tile.ts";
import { RemoteError } from "../../protocol/errors.ts";
import { TileResult } from "../../protocol/records.ts";
import { withWorkspace, workspaceOf } from "../../state/client-state.ts";
import { command } from "../command.ts";
import { exactlyOneOf, tileTarget } from "../fields.ts";
import { withTilePlaced } from "../place-tile.ts";
import { checkWorkspaceIndex, findWorkspaceByName, workspaceIndex } from "../workspaces/workspace-name.ts";

export const moveToWorkspace = command({
  area: "layout",
  summary: "Move a tile to another workspace",
  details:
    "The workspace is named by its index, or by its name where only one has it. The tile keeps its key, goes where there is most room, and is the focused tile of that workspace. `breakTile` moves it to a new one, `moveTile` beside a tile.",
  params: exactlyOneOf(
    z.object({
      index: workspaceIndex
        .optional()
        .describe("index of the workspace, counted from 0; needed unless `name` is given"),
      name: z.string().min(1).max(200).optional().describe("name of the workspace"),
      tile: tileTarget,
      focus: z.boolean().default(false).describe("show that workspace"),
    }),
    ["index", "name"],
  ),
  result: TileResult.extend({ workspace: z.int() }),
  role: "writer",
  scope: "client",
  touches: "screen",
  palette: [
    {
      title: "Move the tile to another workspace…",
      submit: "Move",
      focused: "tile",
      fields: { index: { label: "Workspace", pick: "workspace", needed: true } },
    },
  ],
  cli: [
    {
      name: "move-to-workspace",
      args: ["index"],
      instead: { index: { form: "name", param: "name" } },
      note: "A word that is no number is the name of a workspace.",
      examples: ["move-to-workspace 1 --tile 3", "move-to-workspace servers --focus"],
    },
  ],
  run(context, { index: given, name, tile, focus }) {
    const { key } = context.tile(tile);
    const { state, host } = context;
    const index = given ?? findWorkspaceByName(state.now, name ?? "");
    checkWorkspaceIndex(state.now, index);
    const from = workspaceOf(state.now, key);
    if (from === index) throw new RemoteError("invalid_request", `Tile ${key} is in workspace ${index} already.`);
    state.update((now) => {
      const left = withWorkspace(now, from, (workspace) => closeTile(workspace, key));
      const moved = withWorkspace(left, index, (workspace) => withTilePlaced(workspace, key, host.viewport()));
      return focus ? { ...moved, active: index } : moved;
    });
    return { key, workspace: workspaceOf(state.now, key) };
  },
});
