import { z } from "zod";
import { RemoteError } from "../../protocol/errors.ts";
import { withoutWorkspace } from "../../state/client-state.ts";
import { command } from "../command.ts";
import { checkWorkspaceIndex, workspaceIndex } from "./workspace-name.ts";

export const closeWorkspace = command({
  area: "workspaces",
  summary: "Close a workspace with its tiles; the shells in them keep running",
  details:
    "Later workspaces move up by one. Closing the only one leaves an empty workspace. One with tiles needs `force`.",
  params: z.object({
    index: workspaceIndex.optional(),
    force: z.boolean().default(false).describe("close it although it has tiles"),
  }),
  result: z.object({ index: z.int(), name: z.string() }),
  role: "writer",
  scope: "client",
  touches: { workspace: "index" },
  cli: [{ name: "close-workspace", args: ["index"], examples: ["close-workspace 1 --force"] }],
  run({ state }, { index = state.now.active, force }) {
    checkWorkspaceIndex(state.now, index);
    const closed = state.now.workspaces[index];
    const count = closed?.recent.length ?? 0;
    if (count > 0 && !force) {
      throw new RemoteError(
        "workspace_not_empty",
        `Workspace ${index} has ${count} tiles: close them, or use force (\`--force\`).`,
      );
    }
    state.update((now) => withoutWorkspace(now, index));
    return { index, name: closed?.name ?? "" };
  },
});
