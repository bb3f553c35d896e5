import { useState } from "react";
import { ReadOnlyField } from "./read-only-field.tsx";
import { usePanel } from "./use-panel.ts";

/** Port that an empty field stands for. */
const DEFAULT_PORT = "7717";

/** The relay's current addresses, and its listen settings from the next start on. */
export function RelaySettings() {
  const { address, externalAddresses } = usePanel().content;
  return (
    <section className="panel-section" aria-label="Relay">
      <h2>Relay</h2>
      <ReadOnlyField label="Address" value={address} />
      {externalAddresses.map((url) => (
        <ReadOnlyField key={url} label="From other machines" value={url} />
      ))}
      <ListenForm />
      <RestartPrompt />
    </section>
  );
}

function ListenForm() {
  const { content, run } = usePanel();
  const { relay } = content;
  const hint = relay.restartNeeded ? undefined : <OverrideHint />;
  const [typed, setTyped] = useState(relay.port === null ? "" : String(relay.port));
  const [reach, setReach] = useState(relay.outside);
  const port = parsePort(typed);
  const wrong = Number.isNaN(port);
  const changed = port !== relay.port || reach !== relay.outside;
  return (
    <>
      <form
        className="panel-grid"
        aria-label="Address from the next start on"
        onSubmit={(event) => {
          event.preventDefault();
          if (!wrong) void run("panel.setRelay", { port, outside: reach });
        }}
      >
        <label className="panel-narrow">
          Port
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
          Reached from
          <select
            className="field"
            value={reach ? "outside" : "here"}
            disabled={relay.listenOverridden}
            onChange={(event) => setReach(event.target.value === "outside")}
          >
            <option value="here">this machine only</option>
            <option value="outside">other machines too, over TLS</option>
          </select>
        </label>
        <button type="submit" className="button outlined" disabled={wrong || !changed}>
          Set
        </button>
      </form>
      <p className="panel-faint" role={wrong ? "alert" : undefined}>
        {wrong ? "Enter a port from 1 to 65534, or leave the field empty for the default." : hint}
      </p>
    </>
  );
}

/** Options of the command line that override the fields above. */
function OverrideHint() {
  const { portOverridden, listenOverridden } = usePanel().content.relay;
  const words = [...(portOverridden ? ["--port"] : []), ...(listenOverridden ? ["--listen"] : [])];
  if (words.length === 0) return "Changes take effect at the next start.";
  return (
    <>
      This run was started with{" "}
      {words.map((word, index) => (
        <span key={word}>
          {index > 0 && " and "}
          <code className="panel-word">{word}</code>
        </span>
      ))}
      , which {words.length === 1 ? "overrides" : "override"} these settings.
    </>
  );
}

function RestartPrompt() {
  const { content, run } = usePanel();
  if (!content.relay.restartNeeded) return null;
  return (
    <div className="panel-row panel-note">
      <p role="status">This needs a restart. Shells keep running.</p>
      <button type="button" className="button primary" onClick={() => void run("panel.restart", undefined)}>
        Restart now
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
