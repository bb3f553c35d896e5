import { z } from "zod";
import { withWorkspace } from "../../state/client-state.ts";
import { command } from "../command.ts";
import { checkWorkspaceIndex, workspaceIndex, workspaceName } from "./workspace-name.ts";

export const renameWorkspace = command({
  area: "workspaces",
  summary: "Give a workspace another name",
  params: z.object({ name: workspaceName.describe("the name"), index: workspaceIndex.optional() }),
  result: z.object({ index: z.int(), name: z.string() }),
  role: "writer",
  scope: "client",
  touches: { workspace: "index" },
  cli: [{ name: "rename-workspace", args: ["name", "index"], examples: ["rename-workspace servers 1"] }],
  run({ state }, { name, index = state.now.active }) {
    checkWorkspaceIndex(state.now, index);
    state.update((now) => withWorkspace(now, index, (workspace) => ({ ...workspace, name })));
    return { index, name };
  },
});
