import type { TileKey } from "../../../core/protocol/ids.ts";
import { workspaceOfWindow } from "../../../core/state/client-state.ts";
import type { View } from "../view/view.ts";
import { words } from "../words/index.ts";

/** Moves a tile to a window of its own, unless the browser does not open one. */
export async function moveToWindow(view: View, tile: TileKey): Promise<void> {
  const { host } = view;
  const { windows } = host;
  if (windows === undefined) return;
  const { nextKey: id } = host.snapshot().state;
  // Before the command: a browser opens a window only as the answer to a press.
  if (!openWindow(view, id)) return;
  await view.run("breakTile", { tile, window: true });
  if (workspaceOfWindow(host.snapshot().state, id) === -1) windows.close(id);
}

/** Opens a window for a workspace that has lost its own. Returns whether the browser let it. */
export function openWindow({ host, ui }: View, id: number): boolean {
  const isOpened = host.windows?.open(id) === true;
  if (!isOpened) ui.toasts.show("error", words.actions.ownWindow.blocked, [], "blocked window");
  return isOpened;
}
