import { z } from "zod";
import { emptyWorkspace } from "../../layout/workspace.ts";
import { RemoteError } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import type { ClientState } from "../../state/client-state.ts";
import { command } from "../command.ts";
import { workspaceName } from "./workspace-name.ts";

export const createWorkspace = command({
  area: "workspaces",
  summary: "Create a workspace and show it",
  params: z.object({
    name: workspaceName.optional().describe("name; default: its number"),
    focus: z.boolean().default(true).describe("show the new workspace"),
  }),
  result: z.object({ index: z.int(), name: z.string() }),
  role: "writer",
  scope: "client",
  touches: "screen",
  cli: [{ name: "create-workspace", examples: ["create-workspace", "create-workspace --name servers --no-focus"] }],
  run({ state }, { name, focus }) {
    const index = state.now.workspaces.length;
    if (index >= limits.workspaces) {
      throw new RemoteError(
        "limit_reached",
        `A client holds at most ${limits.workspaces} workspaces: close one first.`,
      );
    }
    const workspace = emptyWorkspace(name ?? String(index + 1));
    state.update((now): ClientState => {
      const [first, ...others] = now.workspaces;
      return { ...now, workspaces: [first, ...others, workspace], active: focus ? index : now.active };
    });
    return { index, name: workspace.name };
  },
});
