import { bodyWithSource, type Notice, type NoticeSource } from "../sessions/notices.ts";
import { electronNotifications, type NativeNotifications } from "./native-notifications.ts";

export interface Notifications extends Disposable {
  /** Resolves with whether the desktop shows it. */
  show(notice: Notice, source: NoticeSource): Promise<boolean>;
}

interface Options {
  readonly clicked: (source: NoticeSource) => void;
  /** Called when the user mutes the agent of the notification. */
  readonly muted: (source: NoticeSource) => void;
  readonly log: (line: string) => void;
  readonly native?: NativeNotifications;
}

/** Shows sessions' notices as notifications of the operating system. */
export function createNotifications({ clicked, muted, log, native = electronNotifications() }: Options): Notifications {
  return {
    async show(notice, source) {
      if (!native.supported()) {
        log(`This desktop shows no notifications. ${notice.title}: ${bodyWithSource(notice, source)}`);
        return false;
      }
      try {
        await native.show({
          title: notice.title,
          body: bodyWithSource(notice, source),
          group: { id: source.id, title: source.name },
          ...(source.agent ? { button: { label: "Mute this agent", pressed: () => muted(source) } } : {}),
          clicked: () => clicked(source),
        });
        return true;
      } catch (error) {
        log(`“${notice.title}” is no native notification: ${error instanceof Error ? error.message : String(error)}`);
        return false;
      }
    },
    [Symbol.dispose]: () => native[Symbol.dispose](),
  };
}
