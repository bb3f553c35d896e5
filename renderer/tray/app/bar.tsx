import { keysLabel } from "../row-actions.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";
import type { StatusMessage } from "./use-status.ts";

/** The bar at the bottom, beside the places: what Enter does, what has just happened, or that the relay is away. */
export function Bar(props: {
  readonly status: StatusMessage | undefined;
  /** What Enter does now; undefined: nothing. */
  readonly enter: string | undefined;
  /** Shows what else can be done with what has the focus; undefined: nothing. */
  readonly showActions: (() => void) | undefined;
  /** Keys that lead to the drawer that this is in. */
  readonly drawerKeys: string | undefined;
}) {
  const { status, enter, showActions, drawerKeys } = props;
  const { waiting, isAway, canRun } = usePanel();
  const isFree = status === undefined && !isAway;
  const sentence = status?.sentence ?? "";
  return (
    <footer className="panel-bar">
      <span className={`ellipsis ${status?.kind === "bad" ? "panel-bad" : ""}`} role="status" title={sentence}>
        {sentence}
      </span>
      {status === undefined && drawerKeys !== undefined && (
        <span className="panel-enter panel-away">
          <span className="ellipsis">{words.bar.goThere}</span>
          <kbd className="keys">{drawerKeys}</kbd>
        </span>
      )}
      {/* The card above the content tells it to screen readers. */}
      {status === undefined && isAway && (
        <span className="ellipsis" aria-hidden="true">
          {words.connection.title}
        </span>
      )}
      {isFree && enter !== undefined && (
        <span className="panel-enter">
          <span className="ellipsis" title={enter}>
            {enter}
          </span>
          <kbd className="keys">{keysLabel("Enter")}</kbd>
        </span>
      )}
      {isFree && enter !== undefined && showActions !== undefined && (
        <button
          type="button"
          className="panel-enter panel-more"
          aria-haspopup="menu"
          // The row keeps the focus, and gets it back from the menu.
          onPointerDown={(event) => event.preventDefault()}
          onClick={showActions}
        >
          <span className="panel-more-word">{words.bar.actions}</span>
          <kbd className="keys">{keysLabel("Command+K")}</kbd>
        </button>
      )}
      {isFree && enter === undefined && waiting === 0 && canRun("search") && (
        <span className="panel-enter">
          <span className="ellipsis">{words.bar.search}</span>
          <kbd className="keys">/</kbd>
        </span>
      )}
    </footer>
  );
}
