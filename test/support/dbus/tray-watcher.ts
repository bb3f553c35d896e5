import dbus from "dbus-next";

/** `org.kde.StatusNotifierWatcher` as a desktop with a tray offers it; keeps the bus names of the items. */
export class TrayWatcher extends dbus.interface.Interface {
  readonly items: string[] = [];
  readonly IsStatusNotifierHostRegistered = true;
  readonly ProtocolVersion = 0;

  constructor() {
    super("org.kde.StatusNotifierWatcher");
  }

  get RegisteredStatusNotifierItems(): string[] {
    return this.items;
  }

  RegisterStatusNotifierItem(service: string): void {
    this.items.push(service);
    this.StatusNotifierItemRegistered(service);
  }

  RegisterStatusNotifierHost(_service: string): void {
    this.StatusNotifierHostRegistered();
  }

  StatusNotifierItemRegistered(service: string): string {
    return service;
  }

  StatusNotifierHostRegistered(): void {}

  /** The item's program ended, or took its icon away. */
  remove(service: string): void {
    const at = this.items.indexOf(service);
    if (at !== -1) this.items.splice(at, 1);
  }
}

TrayWatcher.configureMembers({
  methods: {
    RegisterStatusNotifierItem: { inSignature: "s", outSignature: "" },
    RegisterStatusNotifierHost: { inSignature: "s", outSignature: "" },
  },
  properties: {
    RegisteredStatusNotifierItems: { signature: "as", access: "read" },
    IsStatusNotifierHostRegistered: { signature: "b", access: "read" },
    ProtocolVersion: { signature: "i", access: "read" },
  },
  signals: { StatusNotifierItemRegistered: { signature: "s" }, StatusNotifierHostRegistered: { signature: "" } },
});
