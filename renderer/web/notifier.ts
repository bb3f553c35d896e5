import type { ShownBy } from "../../core/protocol/events.ts";
import type { Toast } from "../session/view/session-host.ts";
import { words } from "./words.ts";

/** A notification requested by a command. */
export interface Notice {
  readonly title: string;
  readonly body?: string | undefined;
}

/** The browser's notifications. */
interface BrowserNotifications {
  permission(): "default" | "denied" | "granted";
  /** Asks the user for permission; browsers allow that only in response to a click. */
  ask(): Promise<unknown>;
  /** Throws if the browser does not let pages show notifications, as on Android. */
  show(notice: Notice): void;
}

/**
 * Returns a function that shows a notification, or a toast if the user has not allowed notifications, and returns how it
 * was shown. The first such toast offers to allow them: browsers permanently deny requests made without a click.
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
    return toast({ kind: "info", message, action: { label: words.notifications.allow, run } });
  };
}

/** Returns the browser's notifications for this window. */
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
