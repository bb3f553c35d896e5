import { tilesOf } from "../../../core/layout/workspace.ts";
import type { TileKey } from "../../../core/protocol/ids.ts";
import { activeWorkspace, type ClientState, focusOf } from "../../../core/state/client-state.ts";

/** The tile so many steps after the focused one, round the end; undefined where there is no other. */
export function nextTile(state: ClientState, step: number): TileKey | undefined {
  const keys = tilesOf(activeWorkspace(state));
  const focus = focusOf(state);
  if (focus === null || keys.length < 2) return undefined;
  return keys.at((keys.indexOf(focus) + step) % keys.length);
}
