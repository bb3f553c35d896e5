import { z } from "zod";
import { selectTab as selected } from "../../layout/focus.ts";
import { TileResult } from "../../protocol/records.ts";
import { command } from "../command.ts";
import { tileTarget } from "../fields.ts";
import { changeFrontTab } from "./change-front-tab.ts";

export const selectTab = command({
  area: "tabs",
  summary: "Bring a tab of a tab group to the front",
  params: z.object({ index: z.int().min(0).describe("position of the tab, counted from 0"), tile: tileTarget }),
  result: TileResult,
  role: "writer",
  scope: "client",
  touches: { tile: "tile" },
  palette: [
    {
      title: "Go to a tab by its position…",
      submit: "Go",
      fields: { index: { label: "Position", help: "Counted from 0" } },
    },
  ],
  cli: [{ name: "select-tab", args: ["index"], examples: ["select-tab 0", "select-tab 1 --tile 4"] }],
  run: (context, { index, tile }) => changeFrontTab(context, tile, (workspace, key) => selected(workspace, key, index)),
});
