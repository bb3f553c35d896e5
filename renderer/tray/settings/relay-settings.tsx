import type { PanelRelayState } from "../../../preload/channels.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";
import { ReadOnlyField } from "./read-only-field.tsx";

/** The relay's current addresses. */
export function RelayAddresses() {
  const { address, externalAddresses } = usePanel().content;
  return (
    <section className="settings-part" aria-label={words.relay.title}>
      <h3>{words.relay.title}</h3>
      <ReadOnlyField label={words.relay.address} value={address} />
      {externalAddresses.map((url) => (
        <ReadOnlyField key={url} label={words.relay.external} value={url} />
      ))}
    </section>
  );
}

/** Says that the relay has another address after a restart, or that this run's options decide. */
export function RestartPrompt({ relay }: { readonly relay: PanelRelayState }) {
  const { run } = usePanel();
  const port = <code className="panel-word">--port</code>;
  const listen = <code className="panel-word">--listen</code>;
  const { portOverridden, listenOverridden } = relay;
  const option = portOverridden ? port : listen;
  return (
    <>
      {(portOverridden || listenOverridden) && (
        <p className="panel-faint">
          {portOverridden && listenOverridden
            ? words.relay.startedWithBoth({ port, listen })
            : words.relay.started({ option })}
        </p>
      )}
      {relay.restartNeeded && (
        <div className="panel-row panel-note">
          <p role="status">{words.relay.needsRestart}</p>
          <button type="button" className="button primary" onClick={() => void run("panel.restart", undefined)}>
            {words.relay.restart}
          </button>
        </div>
      )}
    </>
  );
}
