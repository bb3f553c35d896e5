import { z } from "zod";
import { closeTile } from "../../layout/close-tile.ts";
import { insertMovedTile, moveTile as moved } from "../../layout/move-tile.ts";
import { RemoteError } from "../../protocol/errors.ts";
import { TileKey } from "../../protocol/ids.ts";
import { TileResult } from "../../protocol/records.ts";
import { withWorkspace, workspaceOf } from "../../state/client-state.ts";
import { changeLayout } from "../change-layout.ts";
import { command } from "../command.ts";

export const moveTile = command({
  area: "layout",
  summary: "Move a tile beside another tile, or behind it as a tab",
  details: "The other tile may be in another workspace, which is not brought up by that.",
  params: z.object({
    key: TileKey.describe("the tile to move"),
    target: TileKey.describe("the tile to go to"),
    place: z.enum(["left", "right", "up", "down", "tab"]).default("tab").describe("side of the target, or `tab`"),
  }),
  result: TileResult,
  role: "writer",
  scope: "client",
  touches: { tiles: ["key", "target"] },
  palette: [
    {
      title: "Move the tile…",
      submit: "Move",
      focused: "key",
      fields: {
        target: { label: "To", pick: "other-tile" },
        place: {
          label: "Where",
          choices: {
            tab: "Behind it, as a tab",
            left: "On its left",
            right: "On its right",
            up: "Above",
            down: "Below",
          },
        },
      },
    },
  ],
  cli: [{ name: "move-tile", args: ["key", "target"], examples: ["move-tile 3 1 --place right"] }],
  run(context, { key, target, place }) {
    context.tile(target);
    context.tile(key);
    if (key === target) throw new RemoteError("invalid_request", `Tile ${key} can move only to another tile.`);
    const { now } = context.state;
    const [from, to] = [workspaceOf(now, key), workspaceOf(now, target)];
    if (from === to) return changeLayout(context, key, (workspace) => moved(workspace, key, target, place));
    context.state.update((state) => {
      const left = withWorkspace(state, from, (workspace) => closeTile(workspace, key));
      return withWorkspace(left, to, (workspace) => insertMovedTile(workspace, { tile: key, target, position: place }));
    });
    return { key };
  },
});
