import type { ShellId, TileKey } from "../protocol/ids.ts";
import type { ClientStore } from "../state/client-store.ts";
import type { ClientHost } from "../state/ports.ts";
import { placeTile } from "./place-tile.ts";

/** Opens a tile for a shell unless one already shows it. Returns the tile's key. */
export function showShell(client: { state: ClientStore; host: ClientHost }, shell: ShellId): TileKey {
  const tiles = Object.values(client.state.now.tiles);
  const shown = tiles.find((tile) => tile.type === "shell" && tile.id === shell);
  if (shown !== undefined) return shown.key;
  return placeTile(client, { placement: { kind: "largest" }, focus: true, content: { type: "shell", id: shell } });
}
