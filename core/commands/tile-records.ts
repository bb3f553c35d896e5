import type { z } from "zod";
import type { Workspace } from "../layout/layout.ts";
import { tilesOf } from "../layout/workspace.ts";
import { defined } from "../protocol/defined.ts";
import type { TileKey } from "../protocol/ids.ts";
import type { SessionMirror } from "../protocol/mirror.ts";
import type { Tile } from "../protocol/records.ts";
import { activeWorkspace, type ClientState, focusOf, type TileContent } from "../state/client-state.ts";

type TileRecord = z.infer<typeof Tile>;
type Details = Pick<TileRecord, "title" | "label" | "cwd" | "url" | "plugin" | "offset" | "maximized">;

/** Returns the tiles of the active workspace, in reading order. */
export function activeTiles(state: ClientState, mirror: SessionMirror): TileRecord[] {
  return tilesIn(activeWorkspace(state), state, mirror);
}

/** Returns the tiles of all workspaces in order, each with its workspace's index. */
export function allTiles(state: ClientState, mirror: SessionMirror): TileRecord[] {
  return state.workspaces.flatMap((workspace, index) =>
    tilesIn(workspace, state, mirror).map((tile) => ({ ...tile, workspace: index })),
  );
}

/** Returns a tile's descriptive fields; omits those that do not apply. */
export function tileDetails(tile: TileContent, { shells }: SessionMirror, maximized: TileKey | null): Details {
  const { label, url, plugin, offset } = tile;
  const shell = tile.type === "shell" || tile.type === "peek" ? shells.find(({ id }) => id === tile.id) : undefined;
  return {
    ...defined({ title: shell?.title, label, cwd: shell?.cwd, url, plugin, offset }),
    ...(maximized === tile.key ? { maximized: true } : {}),
  };
}

function tilesIn(workspace: Workspace, state: ClientState, mirror: SessionMirror): TileRecord[] {
  const focus = focusOf(state);
  return tilesOf(workspace).flatMap((key) => {
    const tile = state.tiles[key];
    if (tile === undefined) return [];
    const { type, id } = tile;
    return [{ key, type, id, active: key === focus, ...tileDetails(tile, mirror, workspace.maximized) }];
  });
}
