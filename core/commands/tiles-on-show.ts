import { tilesOf } from "../layout/workspace.ts";
import type { TileKey } from "../protocol/ids.ts";
import type { TileType } from "../protocol/records.ts";
import { activeWorkspace, type ClientState, focusOf } from "../state/client-state.ts";

/** The tiles of the workspace on show, in reading order. */
export function tilesOnShow(state: ClientState): { key: TileKey; type: TileType; id: number; active: boolean }[] {
  const focus = focusOf(state);
  const tiles = [];
  for (const key of tilesOf(activeWorkspace(state))) {
    const tile = state.tiles[key];
    if (tile !== undefined) tiles.push({ key, type: tile.type, id: tile.id, active: key === focus });
  }
  return tiles;
}
