import { z } from "zod";
import { toLayoutTree } from "../../layout/tree.ts";
import { LayoutTree } from "../../protocol/records.ts";
import { activeWorkspace } from "../../state/client-state.ts";
import { command } from "../command.ts";

export const getLayoutTree = command({
  area: "layout",
  summary: "Show the layout of the visible workspace, as a tree of splits",
  details: "An empty workspace is a leaf without tiles.",
  params: z.object({}),
  result: LayoutTree,
  role: "reader",
  reads: "the arrangement of tiles",
  scope: "client",
  shortcut: "layout",
  cli: [
    { name: "show-layout", print: "json", summary: "Show the layout of the visible workspace, as indented JSON" },
    { name: "show-tree", print: "tree", summary: "Show the layout of the visible workspace, drawn as a tree" },
  ],
  run({ state }) {
    const { root } = activeWorkspace(state.now);
    return root === null ? { kind: "leaf" as const, tiles: [] } : toLayoutTree(root);
  },
});
