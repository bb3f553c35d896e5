import { useState } from "react";
import { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import type { NotificationRecord } from "../../../core/protocol/notification-record.ts";
import { formatTime } from "../../ui/format-time.ts";
import { usePanel } from "../use-panel.ts";
import { usePolling } from "../use-polling.ts";
import { words } from "../words/index.ts";

const POLL_INTERVAL_MS = 3_000;

/** Past notifications; each links to its shell while its session is open. */
export function NotificationHistory() {
  const { content, run } = usePanel();
  const notices = useNotificationHistory();
  if (notices === undefined) return null;
  if (notices.length === 0) {
    return <p className="panel-empty">{words.activity.noNotifications}</p>;
  }
  return (
    <ul className="panel-log" aria-label={words.activity.past}>
      {notices.map(({ id, at, session, sessionName, title, body, shell, shown }) => (
        <li key={id}>
          <div className="panel-row">
            <h2 className="ellipsis" title={title}>
              {title}
            </h2>
            {!shown && <span className="panel-chip">{words.activity.notShown}</span>}
            <time className="panel-faint" dateTime={at}>
              {formatTime(at)}
            </time>
          </div>
          <div className="panel-row">
            <p className="panel-faint ellipsis" title={body}>
              {[sessionName, body.replaceAll("\n", " · ")].filter((part) => part !== "").join(" · ")}
            </p>
            {content.sessions.some((open) => open.id === session) && (
              <button
                type="button"
                className="button quiet"
                aria-label={words.activity.showWhere(title)}
                onClick={() =>
                  void run("panel.open", {
                    id: SessionId.parse(session),
                    ...(shell === null ? {} : { shell: ShellId.parse(shell) }),
                  })
                }
              >
                {words.activity.show}
              </button>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

function useNotificationHistory(): readonly NotificationRecord[] | undefined {
  const { call } = usePanel();
  const [notices, setNotices] = useState<readonly NotificationRecord[]>();
  usePolling(
    () => call("listNotifications", {}),
    (answer) => answer !== undefined && setNotices(answer),
    POLL_INTERVAL_MS,
    ["waits", "agents"],
  );
  return notices;
}
