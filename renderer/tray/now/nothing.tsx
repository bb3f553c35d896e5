import { PanelIcon } from "../icons.tsx";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";

/** Stands in the place of what waits while nothing does; with the first steps while nothing is open at all. */
export function Nothing() {
  const { content, goTo } = usePanel();
  return (
    <div className="now-calm" role="status">
      <PanelIcon name="check" />
      <div>
        <p className="now-calm-title">{words.inbox.calm}</p>
        <p className="panel-faint">{content.sessions.length === 0 ? words.sessions.none : words.inbox.calmHint}</p>
        {content.sessions.length === 0 && (
          <button
            type="button"
            className="button primary"
            data-item
            data-enter={words.sessions.newSession}
            onClick={() => goTo("sessions")}
          >
            {words.sessions.newSession}
          </button>
        )}
      </div>
    </div>
  );
}
