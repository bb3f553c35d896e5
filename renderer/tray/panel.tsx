import { useEffect, useState } from "react";
import type { PageBridge, PanelContent } from "../../preload/channels.ts";
import { SessionRow } from "./session-row.tsx";

/** The panel at the tray icon: the sessions, and what one does with them most. */
export function Panel({ bridge }: { readonly bridge: PageBridge }) {
  const [content, setContent] = useState<PanelContent>();
  useEffect(() => {
    const stop = bridge.on("panel.changed", setContent);
    void bridge.invoke("panel.start", undefined);
    return stop;
  }, [bridge]);
  if (content === undefined) return null;
  return (
    <div className="panel">
      <header className="panel-bar">
        <h1>Sessions</h1>
      </header>
      <main>
        {content.sessions.length === 0 ? (
          <p className="panel-empty">
            No session is open. Make one from a terminal: <code>service sessions create work</code>
          </p>
        ) : (
          <ul>
            {content.sessions.map((session) => (
              <SessionRow key={session.id} session={session} bridge={bridge} />
            ))}
          </ul>
        )}
      </main>
      <footer className="panel-bar">
        <span className="ellipsis" title={content.address}>
          {content.address.replace(/^https?:\/\//, "")}
        </span>
        <button type="button" className="button quiet" onClick={() => void bridge.invoke("panel.quit", undefined)}>
          Quit
        </button>
      </footer>
    </div>
  );
}
