import { z } from "zod";
import { shownLine } from "../../core/protocol/shown-line.ts";
import { visibleText } from "../../core/protocol/visible-text.ts";
import type { BusConnection } from "./dbus/connection.ts";
import type { SessionBus } from "./dbus/session-bus.ts";

/** Bus name of the program that shows notifications (Desktop Notifications Specification). */
export const NOTIFICATIONS = "org.freedesktop.Notifications";
const OBJECT = "/org/freedesktop/Notifications";
/** Long enough for a server that the bus has to start first, short enough for a waiting command. */
const ANSWER_TIMEOUT_MS = 2_000;
const MAX_CAPABILITIES = 100;
/** Maximum number of shown notifications; beyond it the oldest is closed. */
export const MAX_SHOWN = 20;
/** Maximum length of what a notification shows on one line: its title, and the label of a button. */
export const LONGEST_LINE = 200;

const Capabilities = z.tuple([z.array(z.string()).max(MAX_CAPABILITIES)]);
const Identifier = z.tuple([z.int().positive()]);
const ActionInvoked = z.tuple([z.int(), z.string()]);

interface NativeNotification {
  readonly title: string;
  readonly body: string;
  /** Buttons: what is reported when one is pressed, and its label. */
  readonly buttons: readonly { readonly action: string; readonly label: string }[];
  /** The notification was clicked ("default"), or a button was pressed. */
  readonly activated: (action: string) => void;
}

/** The notification server of this session. It may start, stop and change while the app runs. */
export class NotificationServer implements Disposable {
  readonly #bus: SessionBus;
  readonly #shown = new Map<number, NativeNotification>();
  #listening: BusConnection | undefined;

  constructor(bus: SessionBus) {
    this.#bus = bus;
  }

  /**
   * Shows a notification. Resolves with its id once the server has accepted it; rejects when there is no server or it does
   * not answer in time. A server that accepts it later is told to close it again.
   */
  async show(notification: NativeNotification): Promise<number> {
    const connection = await this.#connection();
    const capabilities = await this.#capabilities(connection);
    const { buttons } = notification;
    const [title, body] = [shownLine(notification.title, LONGEST_LINE), visibleText(notification.body)];
    const actions = capabilities.includes("actions")
      ? ["default", "Open", ...buttons.flatMap(({ action, label }) => [action, label])]
      : [];
    // A title has no markup (Desktop Notifications Specification).
    const text = capabilities.includes("body-markup") ? withoutMarkup(body) : body;
    const accepted = connection.call(
      {
        ...NOTIFY,
        body: ["Patchbay", 0, "patchbay", title, text, actions, HINTS, -1],
      },
      LONGEST_LATENESS_MS,
    );
    const id = Identifier.parse(
      await inTime(accepted, (late) => this.#close(connection, Identifier.parse(late)[0])),
    )[0];
    this.#shown.set(id, notification);
    const [oldest] = this.#shown.keys();
    if (this.#shown.size > MAX_SHOWN && oldest !== undefined) this.close(oldest);
    return id;
  }

  /** Closes a notification. */
  close(id: number): void {
    if (!this.#shown.delete(id) || this.#listening === undefined) return;
    this.#close(this.#listening, id);
  }

  [Symbol.dispose](): void {
    for (const id of [...this.#shown.keys()]) this.close(id);
  }

  /** Checks that a server answers; the bus starts it if it can. */
  async #capabilities(connection: BusConnection): Promise<readonly string[]> {
    const asked = { destination: NOTIFICATIONS, path: OBJECT, interface: NOTIFICATIONS, member: "GetCapabilities" };
    return Capabilities.parse(await connection.call(asked, ANSWER_TIMEOUT_MS))[0];
  }

  #close(connection: BusConnection, id: number): void {
    connection.send({
      destination: NOTIFICATIONS,
      path: OBJECT,
      interface: NOTIFICATIONS,
      member: "CloseNotification",
      signature: "u",
      body: [id],
    });
  }

  async #connection(): Promise<BusConnection> {
    const connection = await this.#bus.connection();
    if (this.#listening === connection) return connection;
    this.#listening = connection;
    // Identifiers are valid only on their own connection.
    this.#shown.clear();
    // With this rule the bus delivers only signals of the name's owner.
    connection.onSignal(`type='signal',sender='${NOTIFICATIONS}',path='${OBJECT}'`, (signal) => {
      if (signal.path !== OBJECT || signal.interface !== NOTIFICATIONS) return;
      if (signal.member === "ActionInvoked") this.#activated(signal.body);
      else if (signal.member === "NotificationClosed") this.#shown.delete(Number(signal.body[0]));
    });
    return connection;
  }

  #activated(body: readonly unknown[]): void {
    const { data: [id, action] = [0, ""] } = ActionInvoked.safeParse(body);
    const notification = this.#shown.get(id);
    this.#shown.delete(id);
    notification?.activated(action);
  }
}

/** How long a late reply is still awaited, to close the notification. */
const LONGEST_LATENESS_MS = 60_000;

const NOTIFY = {
  destination: NOTIFICATIONS,
  path: OBJECT,
  interface: NOTIFICATIONS,
  member: "Notify",
  signature: "susssasa{sv}i",
} as const;
/** Name of the menu entry, by which desktops group notifications and find the user's choices for them. */
const HINTS = { "desktop-entry": { signature: "s", value: "patchbay" } };

/** Resolves with the reply, or rejects when it takes too long; `late` then receives a late reply. */
function inTime<T>(answer: Promise<T>, late: (answer: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    let waiting = true;
    const timer = setTimeout(() => {
      waiting = false;
      reject(new Error(`${NOTIFICATIONS} did not answer within ${ANSWER_TIMEOUT_MS / 1000} s.`));
    }, ANSWER_TIMEOUT_MS);
    answer.then(
      (value) => {
        clearTimeout(timer);
        if (waiting) resolve(value);
        else late(value);
      },
      (error: Error) => {
        clearTimeout(timer);
        if (waiting) reject(error);
      },
    );
  });
}

function withoutMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
