import { tilesOf } from "../../../core/layout/workspace.ts";
import type { TileKey } from "../../../core/protocol/ids.ts";
import { focusOf } from "../../../core/state/client-state.ts";
import { Keys } from "../../ui/keys.tsx";
import { roleWords } from "../../ui/role-words.ts";
import { chordLabel } from "../keys/chord.ts";
import { ShellList } from "../shells/shell-list.tsx";
import type { SessionSnapshot } from "../view/session-host.ts";
import { useSnapshot, useView } from "../view/view.ts";

/** Status line: connection, number of shells and agents, and what waits for the user. */
export function Footer() {
  const view = useView();
  const snapshot = useSnapshot();
  const { connected, mirror, self } = snapshot;
  const agents = (mirror?.agents ?? []).filter(({ state }) => state !== "ended");
  const waiting = waitingCount(snapshot);
  const target = nextWaitingTile(snapshot);
  const palette = view.shortcuts.bindings.find(
    ({ action }) => action.kind === "view" && action.viewAction === "palette",
  );
  return (
    <footer className="footer">
      <span className="connection" role="status">
        <span className={`dot ${connected ? "good" : "bad"}`} />
        {connected ? "Connected" : mirror === undefined ? "Connecting…" : "Reconnecting…"}
      </span>
      <ShellList />
      {agents.length > 0 && (
        <span className="wide-only">{agents.length === 1 ? "1 agent" : `${agents.length} agents`}</span>
      )}
      {waiting > 0 && (
        <button
          type="button"
          className="waiting"
          disabled={target === undefined}
          title={
            target === undefined ? "Its shell is in no tile: open it from the list of shells" : "Go to the next one"
          }
          onClick={() => target !== undefined && void view.run("focusTile", { key: target })}
        >
          {waiting === 1 ? "1 waits for you" : `${waiting} wait for you`}
        </button>
      )}
      <span className="footer-end">
        {self !== undefined && (
          <span
            className="ellipsis wide-only"
            title={`You are ${self.name}. For the command line: --client ${self.id}`}
          >
            {self.name} · {roleWords[self.role]}
          </span>
        )}
        {palette?.chord !== undefined && (
          <span className="wide-only">
            <Keys label={chordLabel(palette.chord, view.shortcuts.mac)} /> commands
          </span>
        )}
      </span>
    </footer>
  );
}

/** Counts what waits for this user: agents, their requests, and requests to take over a shell. */
function waitingCount({ mirror, self }: Pick<SessionSnapshot, "mirror" | "self">): number {
  if (mirror === undefined) return 0;
  const agents = mirror.agents.filter(({ state }) => state === "waiting").length;
  const asked = mirror.adoptRequests.filter(({ to }) => to === self?.id).length;
  return agents + asked + mirror.restrictions.requests.length;
}

/** Returns the next tile after the focused one whose shell waits for the user, over all workspaces. Wraps around. */
function nextWaitingTile({ mirror, state }: Pick<SessionSnapshot, "mirror" | "state">): TileKey | undefined {
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
