import { Keys } from "../../ui/keys.tsx";
import { chordLabel } from "../keys/chord.ts";
import { ShellList } from "../shells/shell-list.tsx";
import { useSnapshot, useView } from "../view.ts";
import { nextWaiting, waitingCount } from "./waiting.ts";

/** The state of things in one line: connection, counts, and what waits for the user. */
export function Footer() {
  const view = useView();
  const snapshot = useSnapshot();
  const { connected, mirror, self } = snapshot;
  const agents = (mirror?.agents ?? []).filter(({ state }) => state !== "ended");
  const waiting = waitingCount(snapshot);
  const target = nextWaiting(snapshot);
  const palette = view.bindings.find(({ does }) => does.kind === "view" && does.action === "palette");
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
          <span className="ellipsis wide-only" title={`You are ${self.name}, client ${self.id}`}>
            {self.name} · {self.role}
          </span>
        )}
        {palette?.chord !== undefined && (
          <span className="wide-only">
            <Keys label={chordLabel(palette.chord, view.mac)} /> commands
          </span>
        )}
      </span>
    </footer>
  );
}
