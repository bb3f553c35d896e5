import { errorText } from "../../../core/protocol/error-text.ts";
import { bodyWithSource, type Notice, type NoticeSource } from "../sessions/notices.ts";
import { words } from "../words.ts";
import { electronNotifications, type NativeNotifications } from "./native-notifications.ts";

export interface Notifications extends Disposable {
  /** Resolves with whether the desktop shows it. */
  show(notice: Notice, source: NoticeSource): Promise<boolean>;
  /** Closes the notification of a question that is no longer open. */
  closeQuestion(session: string, question: number): void;
}

interface Options {
  readonly clicked: (source: NoticeSource) => void;
  /** Called when the user mutes the agent of the notification. */
  readonly muted: (source: NoticeSource) => void;
  /** Called when the user presses the button of an option of the notification's question. */
  readonly answered: (source: NoticeSource, question: number, option: string) => void;
  readonly log: (line: string) => void;
  readonly native?: NativeNotifications;
}

/** Shows sessions' notices as notifications of the operating system. */
export function createNotifications(options: Options): Notifications {
  const { clicked, log, native = electronNotifications() } = options;
  const questions = new Map<string, Promise<() => void>>();
  return {
    async show(notice, source) {
      if (!native.supported()) {
        log(`This desktop shows no notifications. ${notice.title}: ${bodyWithSource(notice, source)}`);
        return false;
      }
      try {
        const shown = native.show({
          title: notice.title,
          body: bodyWithSource(notice, source),
          group: { id: source.id, title: source.name },
          buttons: buttonsOf(source, options),
          clicked: () => clicked(source),
        });
        // A question may be answered before the desktop has shown its notification.
        if (source.question !== undefined) questions.set(keyOf(source.id, source.question.id), shown);
        await shown;
        return true;
      } catch (error) {
        log(`“${notice.title}” is no native notification: ${errorText(error)}`);
        return false;
      }
    },
    closeQuestion(session, question) {
      const key = keyOf(session, question);
      questions.get(key)?.then(
        (close) => close(),
        () => undefined,
      );
      questions.delete(key);
    },
    [Symbol.dispose]: () => native[Symbol.dispose](),
  };
}

function keyOf(session: string, question: number): string {
  return `${session}/${question}`;
}

/** The options of a question; the agent can be muted where it asks nothing. */
function buttonsOf(source: NoticeSource, { muted, answered }: Pick<Options, "muted" | "answered">) {
  const { question, agent } = source;
  if (question !== undefined && question.options.length > 0) {
    return question.options.map(({ id, label }) => ({ label, pressed: () => answered(source, question.id, id) }));
  }
  return agent ? [{ label: words.notices.mute, pressed: () => muted(source) }] : [];
}
