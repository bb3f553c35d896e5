import dbus from "dbus-next";

export interface ReceivedNotification {
  readonly id: number;
  readonly app: string;
  readonly title: string;
  readonly body: string;
  /** Pairs of key and label, as D-Bus carries them. */
  readonly actions: readonly string[];
}

const CLOSED_BY_USER = 2;

/** `org.freedesktop.Notifications` as a desktop offers it; keeps what it was asked to show. */
export class NotificationServer extends dbus.interface.Interface {
  readonly received: ReceivedNotification[] = [];
  #nextId = 1;

  constructor() {
    super("org.freedesktop.Notifications");
  }

  Notify(...args: [string, number, string, string, string, string[], unknown, number]): number {
    const [app, replaces, , title, body, actions] = args;
    const id = replaces === 0 ? this.#nextId++ : replaces;
    this.received.push({ id, app, title, body, actions });
    return id;
  }

  CloseNotification(id: number): void {
    this.NotificationClosed(id, 3);
  }

  GetCapabilities(): string[] {
    return ["actions", "body"];
  }

  GetServerInformation(): string[] {
    return ["patchbay-test", "patchbay", "1", "1.2"];
  }

  ActionInvoked(id: number, action: string): [number, string] {
    return [id, action];
  }

  NotificationClosed(id: number, reason: number): [number, number] {
    return [id, reason];
  }

  /** What happens when the user clicks a notification, or one of its buttons. */
  activate(id: number, action = "default"): void {
    this.ActionInvoked(id, action);
    this.NotificationClosed(id, CLOSED_BY_USER);
  }
}

NotificationServer.configureMembers({
  methods: {
    Notify: { inSignature: "susssasa{sv}i", outSignature: "u" },
    CloseNotification: { inSignature: "u", outSignature: "" },
    GetCapabilities: { inSignature: "", outSignature: "as" },
    GetServerInformation: { inSignature: "", outSignature: "ssss" },
  },
  signals: { ActionInvoked: { signature: "us" }, NotificationClosed: { signature: "uu" } },
});
