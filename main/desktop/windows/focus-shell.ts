import type { Client } from "../../../core/client/client.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { DesktopClient } from "../sessions/desktop-client.ts";

/** Focuses the tile of a shell; a shell without one gets one. */
export async function focusShell(client: Client, shell: ShellId): Promise<void> {
  const tile = Object.values(client.state.now.tiles).find(({ type, id }) => type === "shell" && id === shell);
  if (tile !== undefined) await client.execute("focusTile", { key: tile.key });
  else await client.execute("openTile", { type: "shell", shell });
}

/** Opens the user's shell in a client that shows nothing, once the client has joined its session. */
export async function openFirstShell({ client, joined }: Pick<DesktopClient, "client" | "joined">): Promise<void> {
  await joined;
  if (Object.keys(client.state.now.tiles).length === 0) await client.execute("createShell", {});
}
