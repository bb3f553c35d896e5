import type { ShownBy } from "../../core/protocol/events.ts";
import type { Toast } from "../session/view/session-host.ts";

/** What a command asks to be shown. */
export interface Notice {
  readonly title: string;
  readonly body?: string | undefined;
}

/** The browser's notifications. */
export interface BrowserNotifications {
  permission(): "default" | "denied" | "granted";
  /** Asks the user; browsers let a page do that only while the user clicks. */
  ask(): Promise<unknown>;
  /** Throws where the browser lets no page show one, as on Android. */
  show(notice: Notice): void;
}

/**
 * Shows what `notify` asks for, and returns how: as a notification where the user has allowed them, else as a toast. The
 * first such toast offers to allow them; asked without a click, browsers would refuse for good.
 */
export function createNotifier(
  notifications: BrowserNotifications,
  toast: (toast: Toast) => ShownBy,
): (notice: Notice) => ShownBy {
  let offered = false;
  return (notice) => {
    const { title, body } = notice;
    const message = body === undefined ? title : `${title}: ${body}`;
    const permission = notifications.permission();
    if (permission === "granted" && shown(notifications, notice)) return "native";
    if (permission !== "default" || offered) return toast({ kind: "info", message });
    offered = true;
    const run = () => void notifications.ask().catch(() => undefined);
    return toast({ kind: "info", message, action: { label: "Allow notifications", run } });
  };
}

/** The notifications of this page's window. */
export function browserNotifications(window: Window & typeof globalThis): BrowserNotifications {
  return {
    permission: () => ("Notification" in window ? window.Notification.permission : "denied"),
    ask: () => window.Notification.requestPermission(),
    show({ title, body }) {
      const notification = new window.Notification(title, body === undefined ? {} : { body });
      notification.addEventListener("click", () => {
        window.focus();
        notification.close();
      });
    },
  };
}

function shown(notifications: BrowserNotifications, notice: Notice): boolean {
  try {
    notifications.show(notice);
    return true;
  } catch {
    return false;
  }
}
