import { z } from "zod";
import { command } from "../command.ts";
import { checkWorkspace, workspaceIndex } from "./workspace-name.ts";

export const switchWorkspace = command({
  area: "workspaces",
  summary: "Show another workspace",
  params: z.object({ index: workspaceIndex }),
  result: z.object({ index: z.int() }),
  role: "writer",
  scope: "client",
  touches: { workspace: "index" },
  cli: [{ name: "switch-workspace", args: ["index"], examples: ["switch-workspace 1"] }],
  run({ state }, { index }) {
    checkWorkspace(state.now, index);
    state.update((now) => (now.active === index ? now : { ...now, active: index }));
    return { index };
  },
});
