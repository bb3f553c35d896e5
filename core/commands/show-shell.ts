import type { ShellId, TileKey } from "../protocol/ids.ts";
import { activeWorkspace, type ClientState, type TileContent, withFocus, withoutTiles } from "../state/client-state.ts";
import type { StateChanger } from "../state/client-store.ts";
import type { ClientHost } from "../state/ports.ts";
import { placeTile } from "./place-tile.ts";

/**
 * Shows a shell that the client has adopted: in the tile that has it, else in the tile that watched it, which becomes the
 * shell's own, else in a new one. Returns the tile's key.
 *
 * @param focus whether a tile that is new, or becomes the shell's own, gets the focus
 */
export function showShell(client: { state: StateChanger; host: ClientHost }, shell: ShellId, focus: boolean): TileKey {
  const { now } = client.state;
  const shown = Object.values(now.tiles).find((tile) => tile.type === "shell" && tile.id === shell);
  if (shown !== undefined) return shown.key;
  const [watched, ...others] = watchingTiles(now, shell);
  if (watched === undefined)
    return placeTile(client, { placement: { kind: "largest" }, focus, content: { type: "shell", id: shell } });
  // Nobody watches a shell of their own beside it.
  const beside = others.map(({ key }) => key);
  client.state.update((state) => {
    const own = asOwnTile(withoutTiles(state, beside), watched);
    return focus ? withFocus(own, watched.key) : own;
  });
  return watched.key;
}

/** Returns the tiles that watch a shell, the one that was used last first. */
function watchingTiles(state: ClientState, shell: ShellId): readonly TileContent[] {
  const active = activeWorkspace(state);
  const workspaces = [active, ...state.workspaces.filter((workspace) => workspace !== active)];
  return workspaces
    .flatMap(({ recent }) => recent.flatMap((key) => state.tiles[key] ?? []))
    .filter(({ type, id }) => type === "peek" && id === shell);
}

function asOwnTile(state: ClientState, tile: TileContent): ClientState {
  return { ...state, tiles: { ...state.tiles, [tile.key]: { ...tile, type: "shell" } } };
}
