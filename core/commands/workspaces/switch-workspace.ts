import { z } from "zod";
import { command } from "../command.ts";
import { exactlyOneOf } from "../fields.ts";
import { checkWorkspaceIndex, findWorkspaceByName, workspaceIndex } from "./workspace-name.ts";

export const switchWorkspace = command({
  area: "workspaces",
  summary: "Show another workspace",
  details: "By its index, or by its name where only one workspace has it.",
  params: exactlyOneOf(
    z.object({
      index: workspaceIndex
        .optional()
        .describe("index of the workspace, counted from 0; needed unless `name` is given"),
      name: z.string().min(1).max(200).optional().describe("name of the workspace"),
    }),
    ["index", "name"],
  ),
  result: z.object({ index: z.int() }),
  role: "writer",
  scope: "client",
  touches: { workspace: "index", workspaceName: "name" },
  cli: [
    {
      name: "switch-workspace",
      args: ["index"],
      instead: { index: { form: "name", param: "name" } },
      note: "A word that is no number is the name of a workspace.",
      examples: ["switch-workspace 1", "switch-workspace servers"],
    },
  ],
  run({ state }, { index: given, name }) {
    const index = given ?? findWorkspaceByName(state.now, name ?? "");
    checkWorkspaceIndex(state.now, index);
    state.update((now) => (now.active === index ? now : { ...now, active: index }));
    return { index };
  },
});
