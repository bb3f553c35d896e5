import { Notification } from "electron";
import { shownLine } from "../../../core/protocol/shown-line.ts";
import { visibleText } from "../../../core/protocol/visible-text.ts";
import { sessionBusAddress, socketsOf } from "../../system/dbus/address.ts";
import type { SessionBus } from "../../system/dbus/session-bus.ts";
import { LONGEST_LINE, MAX_SHOWN, NotificationServer } from "../../system/notification-server.ts";

/**
 * Electron reports that a notification is shown or has failed; without a report within this time it counts as failed.
 */
const REPORT_TIMEOUT_MS = 2_000;

interface NativeNotification {
  readonly title: string;
  readonly body: string;
  /** Notifications of one group are shown together, where the platform has groups. */
  readonly group?: { readonly id: string; readonly title: string };
  readonly buttons?: readonly { readonly label: string; readonly pressed: () => void }[];
  readonly clicked: () => void;
}

/** Notifications of the operating system. */
export interface NativeNotifications extends Disposable {
  /** Whether this desktop has notifications at all, as far as known without a query. */
  supported(): boolean;
  /** Resolves with a close function once it is shown; rejects when it cannot be shown. */
  show(notification: NativeNotification): Promise<() => void>;
}

/**
 * The notifications of this platform. On Linux the app speaks to the notification server itself: libnotify, which Electron
 * uses, blocks the whole process for up to 25 s when the server does not answer, and does not say whether it did. Electron
 * remains for the other platforms, and for a session bus that is not at a Unix socket.
 */
export function nativeNotifications(bus: SessionBus, platform = process.platform): NativeNotifications {
  const address = sessionBusAddress(process.env);
  const throughElectron = platform !== "linux" || (address !== undefined && socketsOf(address).length === 0);
  return throughElectron ? electronNotifications() : serverNotifications(new NotificationServer(bus));
}

/** Electron's own notifications. */
export function electronNotifications(): NativeNotifications {
  // Referenced, because a garbage-collected notification receives no click.
  const held = new Set<Notification>();
  return {
    supported: () => Notification.isSupported(),
    show({ title, body, group, buttons = [], clicked }) {
      if (!Notification.isSupported()) return Promise.reject(new Error(NOT_SUPPORTED));
      const notification = new Notification({
        title: shownLine(title, LONGEST_LINE),
        body: visibleText(body),
        // Where the platform has groups and buttons; elsewhere it leaves them out.
        ...(group === undefined ? {} : { groupId: group.id, groupTitle: shownLine(group.title, LONGEST_LINE) }),
        ...(buttons.length === 0
          ? {}
          : {
              actions: buttons.map(({ label }) => ({ type: "button" as const, text: shownLine(label, LONGEST_LINE) })),
            }),
      });
      const drop = () => held.delete(notification);
      const heard = (done: () => void) => () => {
        drop();
        done();
      };
      notification.on("click", heard(clicked));
      if (buttons.length > 0) {
        notification.on("action", (_event, index) => {
          drop();
          buttons[index]?.pressed();
        });
      }
      notification.on("close", drop);
      held.add(notification);
      const shown = onShow(notification, drop);
      const [oldest] = held;
      if (held.size > MAX_SHOWN && oldest !== undefined) {
        held.delete(oldest);
        oldest.close();
      }
      return shown;
    },
    [Symbol.dispose]() {
      for (const notification of held) notification.close();
      held.clear();
    },
  };
}

const NOT_SUPPORTED =
  process.platform === "linux"
    ? "libnotify is missing: install it, for example `sudo apt install libnotify4`"
    : "this desktop shows no notifications";

function onShow(notification: Notification, failed: () => unknown): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      failed();
      reject(new Error(reason));
    };
    const timer = setTimeout(() => fail("the desktop does not answer"), REPORT_TIMEOUT_MS);
    notification.on("show", () => {
      clearTimeout(timer);
      resolve(() => notification.close());
    });
    notification.on("failed", (_event, error) => {
      clearTimeout(timer);
      fail(error);
    });
    notification.show();
  });
}

/** Notifications of a Linux desktop's notification server. */
function serverNotifications(server: NotificationServer): NativeNotifications {
  return {
    supported: () => true,
    async show({ title, body, buttons = [], clicked }) {
      const id = await server.show({
        title,
        body,
        buttons: buttons.map(({ label }, index) => ({
          action: `button-${index}`,
          label: shownLine(label, LONGEST_LINE),
        })),
        activated: (action) => {
          const button = buttons.find((_button, index) => action === `button-${index}`);
          if (button === undefined) clicked();
          else button.pressed();
        },
      });
      return () => server.close(id);
    },
    [Symbol.dispose]: () => server[Symbol.dispose](),
  };
}
