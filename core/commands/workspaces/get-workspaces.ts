import { z } from "zod";
import { tilesOf } from "../../layout/workspace.ts";
import { WorkspaceRecord } from "../../protocol/records.ts";
import { command } from "../command.ts";

export const getWorkspaces = command({
  area: "workspaces",
  summary: "List the workspaces of the client, with their tiles",
  params: z.object({}),
  result: z.array(WorkspaceRecord),
  role: "reader",
  reads: "the names of workspaces, and the titles and addresses of tiles",
  scope: "client",
  shortcut: "workspaces",
  cli: [{ name: "list-workspaces" }],
  run: ({ state: { now } }) =>
    now.workspaces.map((workspace, index) => ({
      index,
      name: workspace.name,
      active: index === now.active,
      ...(workspace.window === undefined ? {} : { window: true }),
      tiles: [...tilesOf(workspace)],
    })),
});
