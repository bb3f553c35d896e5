import type { Client } from "../../../core/client/client.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";

/** Focuses the tile of a shell; a shell without one gets one. */
export async function focusShell(client: Client, shell: ShellId): Promise<void> {
  const tile = Object.values(client.state.now.tiles).find(({ type, id }) => type === "shell" && id === shell);
  if (tile !== undefined) await client.execute("focusTile", { key: tile.key });
  else await client.execute("openTile", { type: "shell", shell });
}
