import { useState } from "react";
import type { PanelRelayState } from "../../preload/channels.ts";
import { ReadOnlyField } from "./read-only-field.tsx";
import { usePanel } from "./use-panel.ts";
import { words } from "./words/index.ts";

/** Port that an empty field stands for. */
const DEFAULT_PORT = "7717";

/** The relay's current addresses, and its listen settings from the next start on. */
export function RelaySettings() {
  const { address, externalAddresses, desktop } = usePanel().content;
  return (
    <section className="panel-section" aria-label={words.relay.title}>
      <h2>{words.relay.title}</h2>
      <ReadOnlyField label={words.relay.address} value={address} />
      {externalAddresses.map((url) => (
        <ReadOnlyField key={url} label={words.relay.external} value={url} />
      ))}
      {desktop !== undefined && (
        <>
          <ListenForm relay={desktop.relay} />
          <RestartPrompt relay={desktop.relay} />
        </>
      )}
    </section>
  );
}

interface RelayProps {
  readonly relay: PanelRelayState;
}

function ListenForm({ relay }: RelayProps) {
  const { run } = usePanel();
  const hint = relay.restartNeeded ? undefined : <OverrideHint relay={relay} />;
  const [typed, setTyped] = useState(relay.port === null ? "" : String(relay.port));
  const [reach, setReach] = useState(relay.outside);
  const port = parsePort(typed);
  const wrong = Number.isNaN(port);
  const changed = port !== relay.port || reach !== relay.outside;
  return (
    <>
      <form
        className="panel-grid"
        aria-label={words.relay.listen}
        onSubmit={(event) => {
          event.preventDefault();
          if (!wrong) void run("panel.setRelay", { port, outside: reach });
        }}
      >
        <label className="panel-narrow">
          {words.relay.port}
          <input
            className="field"
            inputMode="numeric"
            placeholder={DEFAULT_PORT}
            value={typed}
            disabled={relay.portOverridden}
            aria-invalid={wrong}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <label>
          {words.relay.reachedFrom}
          <select
            className="field"
            value={reach ? "outside" : "here"}
            disabled={relay.listenOverridden}
            onChange={(event) => setReach(event.target.value === "outside")}
          >
            <option value="here">{words.relay.here}</option>
            <option value="outside">{words.relay.outside}</option>
          </select>
        </label>
        <button type="submit" className="button outlined" disabled={wrong || !changed}>
          {words.relay.set}
        </button>
      </form>
      <p className="panel-faint" role={wrong ? "alert" : undefined}>
        {wrong ? words.relay.wrongPort : hint}
      </p>
    </>
  );
}

/** Options of the command line that override the fields above. */
function OverrideHint({ relay: { portOverridden, listenOverridden } }: RelayProps) {
  const port = <code className="panel-word">--port</code>;
  const listen = <code className="panel-word">--listen</code>;
  if (portOverridden && listenOverridden) return words.relay.startedWithBoth({ port, listen });
  if (portOverridden || listenOverridden) return words.relay.started({ option: portOverridden ? port : listen });
  return words.relay.nextStart;
}

function RestartPrompt({ relay }: RelayProps) {
  const { run } = usePanel();
  if (!relay.restartNeeded) return null;
  return (
    <div className="panel-row panel-note">
      <p role="status">{words.relay.needsRestart}</p>
      <button type="button" className="button primary" onClick={() => void run("panel.restart", undefined)}>
        {words.relay.restart}
      </button>
    </div>
  );
}

/** Parses a port; null if empty, NaN if invalid. */
function parsePort(typed: string): number | null {
  if (typed.trim() === "") return null;
  const port = /^\d{1,5}$/.test(typed.trim()) ? Number(typed) : Number.NaN;
  return port >= 1 && port <= 65_534 ? port : Number.NaN;
}
