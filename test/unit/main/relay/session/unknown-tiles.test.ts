import { expect, test, vi } from "vitest";
import { addFirstTile } from "../../../../../core/layout/open-tile.ts";
import { emptyWorkspace } from "../../../../../core/layout/workspace.ts";
import { ClientId, TileKey } from "../../../../../core/protocol/ids.ts";
import { freshState, restoreState } from "../../../../../core/state/client-state.ts";
import { sharedLayout } from "../../../../../main/relay/session/shared-layout.ts";
import { reportUnknownTiles } from "../../../../../main/relay/session/unknown-tiles.ts";

const client = ClientId.parse(4);
/** A saved layout with one tile of a type. */
const saved = (type: string) => ({
  workspaces: [addFirstTile(emptyWorkspace("1"), TileKey.parse(1))],
  active: 0,
  tiles: { 1: { key: 1, type, id: 7, url: "https://ann:secret@example.com/?token=1" } },
  nextKey: 2,
});

test("the log says which clients come back without a tile of an unknown type", () => {
  const warn = vi.fn();
  const rows = [saved("shell"), saved("hologram"), undefined].map((state) => ({ id: client, state }));
  reportUnknownTiles(rows, { warn });
  const fields = { client, tiles: 1, types: ["hologram"] };
  expect(warn.mock.calls).toEqual([[expect.stringContaining("are left out"), fields]]);
});

test("a layout with such a tile is shared with nothing else of the tile, and read without it", () => {
  const layout = sharedLayout(saved("hologram"));
  expect(layout?.tiles).toEqual({ 1: { key: 1, type: "hologram" } });
  expect(restoreState(JSON.parse(JSON.stringify(layout)))).toEqual({ ...freshState, nextKey: 2 });
});
