import { tilesOf } from "../../../core/layout/workspace.ts";
import type { TileKey } from "../../../core/protocol/ids.ts";
import { focusOf } from "../../../core/state/client-state.ts";
import type { SessionSnapshot } from "../session-host.ts";

/** How many things wait for this user: agents' questions and requests, and requests to take over a shell. */
export function waitingCount({ mirror, self }: Pick<SessionSnapshot, "mirror" | "self">): number {
  if (mirror === undefined) return 0;
  const agents = mirror.agents.filter(({ state }) => state === "waiting").length;
  const asked = mirror.adoptRequests.filter(({ to }) => to === self?.id).length;
  return agents + asked + mirror.restrictions.requests.length;
}

/** The tile to go to next where something waits: after the focused one, round the end; over all workspaces. */
export function nextWaiting({ mirror, state }: Pick<SessionSnapshot, "mirror" | "state">): TileKey | undefined {
  const shells = new Set<number>([
    ...(mirror?.agents ?? []).filter((agent) => agent.state === "waiting").map(({ shellId }) => shellId),
    ...(mirror?.restrictions.requests ?? []).map(({ shellId }) => shellId),
  ]);
  const order = state.workspaces.flatMap((workspace) => [...tilesOf(workspace)]);
  const focus = focusOf(state);
  const at = focus === null ? -1 : order.indexOf(focus);
  const around = [...order.slice(at + 1), ...order.slice(0, at + 1)];
  return around.find((key) => {
    const tile = state.tiles[key];
    return tile !== undefined && (tile.type === "shell" || tile.type === "peek") && shells.has(tile.id);
  });
}
