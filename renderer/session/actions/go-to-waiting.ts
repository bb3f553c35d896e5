import { tilesOf } from "../../../core/layout/workspace.ts";
import type { TileKey } from "../../../core/protocol/ids.ts";
import { type Waiting, waitingFor } from "../../../core/protocol/waiting.ts";
import { focusOf } from "../../../core/state/client-state.ts";
import type { SessionSnapshot } from "../view/session-host.ts";
import { isAbout } from "../view/tile-info.ts";
import type { View } from "../view/view.ts";
import { words } from "../words/index.ts";
import { callDrawer, hasDrawer } from "./toggle-drawer.ts";

/**
 * Goes to what waits for the user: to its tile, to the message that can be answered, or to a new tile. Shows several
 * together in the drawer, where there is one.
 */
export function goToWaiting(view: View): void {
  const snapshot = view.host.snapshot();
  const waits = snapshot.mirror === undefined ? [] : waitingFor(snapshot.mirror, snapshot.self);
  const target = nextWaitingTile(snapshot, waits);
  const [first] = waits;
  if (first === undefined) view.ui.toasts.show("info", words.palette.toWaiting.none);
  else if (waits.length > 1 && hasDrawer(view, snapshot)) callDrawer(view, { kind: "waiting" });
  else if (target !== undefined) void view.run("focusTile", { key: target });
  else if (first.kind === "plugin") void view.run("openTile", { type: "plugin", plugin: first.plugin });
  else if (first.kind === "role-request") {
    // The message and not its button: a key that was meant for the terminal must not answer it.
    view.keyboard.navigate(true);
    document.querySelector<HTMLElement>(".toasts .role-request")?.focus();
  } else view.ui.palette.set({ kind: "places" });
}

/** Returns the next tile after the focused one in which something waits, over all workspaces. Wraps around. */
function nextWaitingTile({ state }: Pick<SessionSnapshot, "state">, waiting: readonly Waiting[]): TileKey | undefined {
  const order = state.workspaces.flatMap((workspace) => [...tilesOf(workspace)]);
  const focus = focusOf(state);
  const at = focus === null ? -1 : order.indexOf(focus);
  const around = [...order.slice(at + 1), ...order.slice(0, at + 1)];
  return around.find((key) => {
    const tile = state.tiles[key];
    return tile !== undefined && waiting.some((one) => isAbout(one, tile));
  });
}
