import { useState } from "react";
import { formatTime } from "../ui/format-time.ts";
import { useStore } from "../ui/store.ts";
import type { RelayConnection } from "./host.ts";
import { words } from "./words/index.ts";

/** Says that the relay does not answer, since when, and how it is started, and asks it again; nothing while it answers. */
export function RelayAwayCard({ connection }: { readonly connection: RelayConnection }) {
  const away = useStore(connection.away);
  const [isTrying, setTrying] = useState(false);
  if (away === undefined) return null;
  const said = words.connection;
  const retry = async () => {
    if (isTrying) return;
    setTrying(true);
    await connection.retry();
    setTrying(false);
  };
  return (
    <section className="panel-note relay-away" aria-label={said.title}>
      <div role="status">
        <p className="relay-away-title">{said.title}</p>
        <p className="panel-faint">{words.browser.unreachable}</p>
        {away.lastAnswer !== undefined && <p className="panel-faint">{said.asOf(formatTime(away.lastAnswer))}</p>}
        <p className="panel-faint">{said.start({ command: <code>patchbay serve</code> })}</p>
      </div>
      <button type="button" className="button primary" aria-disabled={isTrying} onClick={() => void retry()}>
        {isTrying ? said.trying : said.retry}
      </button>
    </section>
  );
}
