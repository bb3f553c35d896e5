import type { ReactNode } from "react";
import { useStore } from "../../ui/store.ts";
import type { RelayConnection } from "../host.ts";
import { RelayAwayCard } from "../relay-away-card.tsx";
import { words } from "../words/index.ts";

interface FirstAnswerProps {
  /** Undefined where the relay cannot be away. */
  readonly connection: RelayConnection | undefined;
  /** The drawer that the panel is in, with its controls; undefined: it is in none. */
  readonly drawer: { readonly tools: ReactNode } | undefined;
}

/** Stands in the place of the panel until the relay has answered first: an outline, or why there is no answer. */
export function FirstAnswer({ connection, drawer }: FirstAnswerProps) {
  const isInDrawer = drawer !== undefined;
  // A page has one main part.
  const Main = isInDrawer ? "div" : "main";
  return (
    <div className="panel" data-drawer={isInDrawer || undefined}>
      <header className="panel-top">
        {drawer === undefined ? (
          <h1 className="visually-hidden">Patchbay</h1>
        ) : (
          <span className="panel-tools">{drawer.tools}</span>
        )}
      </header>
      <Main className="panel-main">
        {connection === undefined ? <Outline /> : <OutlineOrCard connection={connection} />}
      </Main>
    </div>
  );
}

function OutlineOrCard({ connection }: { readonly connection: RelayConnection }) {
  const away = useStore(connection.away);
  return away === undefined ? <Outline /> : <RelayAwayCard connection={connection} />;
}

/** Lines in the places of what will be read. It appears after a moment, so that a fast answer does not flash. */
function Outline() {
  return (
    <div className="panel-outline" role="status">
      <span className="visually-hidden">{words.connection.loading}</span>
      <span className="panel-outline-line" data-head />
      <span className="panel-outline-line" />
      <span className="panel-outline-line" />
      <span className="panel-outline-line" data-head />
      <span className="panel-outline-line" />
    </div>
  );
}
