import { Notification } from "electron";
import { bodyWithSource, type Notice, type NoticeSource } from "./notices.ts";

/** More than these on show at once and the oldest goes: nobody reads a hundred. */
const MOST_ON_SHOW = 20;

export interface Notifications extends Disposable {
  show(notice: Notice, source: NoticeSource): void;
}

interface Options {
  readonly clicked: (source: NoticeSource) => void;
  /** The user wants to hear no more of the agent that it was about. */
  readonly muted: (source: NoticeSource) => void;
  readonly log: (line: string) => void;
}

/** Shows notifications of the operating system. */
export function createNotifications({ clicked, muted, log }: Options): Notifications {
  // Held, because a notification that is collected no longer hears its click.
  const onShow = new Set<Notification>();
  return {
    show(notice, source) {
      if (!Notification.isSupported()) {
        log(`This desktop shows no notifications. ${notice.title}: ${bodyWithSource(notice, source)}`);
        return;
      }
      const notification = new Notification({
        title: notice.title,
        body: bodyWithSource(notice, source),
        // Where the platform has groups and buttons; elsewhere it leaves them out.
        groupId: source.id,
        groupTitle: source.name,
        ...(source.agent ? { actions: [{ type: "button", text: "Mute this agent" }] } : {}),
      });
      const gone = () => onShow.delete(notification);
      notification.on("click", () => {
        gone();
        clicked(source);
      });
      notification.on("action", () => {
        gone();
        muted(source);
      });
      notification.on("close", gone);
      notification.on("failed", (_event, error) => {
        gone();
        log(`A notification could not be shown: ${error}`);
      });
      onShow.add(notification);
      notification.show();
      const [oldest] = onShow;
      if (onShow.size > MOST_ON_SHOW && oldest !== undefined) {
        onShow.delete(oldest);
        oldest.close();
      }
    },
    [Symbol.dispose]() {
      for (const notification of onShow) notification.close();
      onShow.clear();
    },
  };
}
