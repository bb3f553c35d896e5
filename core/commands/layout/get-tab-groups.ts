import { z } from "zod";
import { tabGroups } from "../../layout/workspace.ts";
import { TabGroup } from "../../protocol/records.ts";
import { command } from "../command.ts";

export const getTabGroups = command({
  area: "layout",
  summary: "List the tab groups: places in the layout that hold several tiles",
  params: z.object({}),
  result: z.array(TabGroup),
  role: "reader",
  reads: "the titles and addresses of tiles",
  scope: "client",
  cli: [{ name: "get-tab-groups" }],
  run: ({ state }) =>
    state.now.workspaces.flatMap((workspace, index) =>
      tabGroups(workspace)
        .filter((group) => group.tiles.length > 1)
        .map((group) => ({ tiles: [...group.tiles], active: group.front, workspace: index })),
    ),
});
