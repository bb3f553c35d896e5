import type { ToastKind } from "../../../core/protocol/events.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { NotificationRecord } from "../../../core/protocol/notification-record.ts";
import { words } from "../words.ts";

/** A short message inside the window of its session. */
export interface Toast {
  readonly message: string;
  readonly kind: ToastKind;
}

/** A notification of the operating system, as a command asks for it. */
export interface Notice {
  readonly title: string;
  readonly body?: string | undefined;
}

/** Where the notice comes from. */
export interface NoticeSource {
  readonly id: string;
  readonly name: string;
  /** The shell that it is about. */
  readonly shell?: ShellId | undefined;
  /** It is about the agent in that shell, which can be muted. */
  readonly agent?: boolean;
  /** The agent's question that it is about. */
  readonly question?: NoticeQuestion | undefined;
}

/** A question that a notification is bound to, with the options that it offers as buttons. */
export interface NoticeQuestion {
  readonly id: number;
  /** The question's digest as the notification shows it. */
  readonly digest?: string;
  readonly options: readonly { readonly id: string; readonly label: string }[];
}

/** What a notification says in a toast, for where the desktop shows no notifications. */
export function messageOfNotice({ title, body }: Notice): string {
  return body === undefined || body === "" ? title : words.notices.inOneLine(title, body);
}

/** The text under the title: the body, then the session, so that one knows where it comes from. */
export function bodyWithSource({ body }: Notice, { name }: NoticeSource): string {
  const origin = words.notices.session(name);
  return body === undefined || body === "" ? origin : `${body}\n${origin}`;
}

/** A notification as it is kept. */
export function pastNotice(
  { title, body }: Notice,
  source: NoticeSource,
  shown: boolean,
): Omit<NotificationRecord, "id"> {
  const { id: session, name: sessionName, shell = null } = source;
  return { at: new Date().toISOString(), session, sessionName, title, body: body ?? "", shell, shown };
}
