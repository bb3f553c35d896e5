import dbus from "dbus-next";
import { NotificationServer, type ReceivedNotification } from "./dbus/notification-server.ts";
import { TrayItem } from "./dbus/tray-item.ts";
import { TrayWatcher } from "./dbus/tray-watcher.ts";
import { until } from "./until.ts";

/** The parts of a desktop that Electron speaks to over D-Bus, owned by the test: they receive what the user would see. */
export interface DbusDesktop extends AsyncDisposable {
  readonly notifications: readonly ReceivedNotification[];
  /** Clicks a notification. */
  activate(id: number, action?: string): void;
  /** The icon of the program with this process id, once it is in the tray. */
  trayItem(pid: number): Promise<TrayItem>;
  /** How many icons that program has now. */
  trayItems(pid: number): Promise<number>;
}

/** Takes the names of a desktop on the session bus of this process of the tests. */
export async function startDbusDesktop({ tray = true } = {}): Promise<DbusDesktop> {
  const bus = dbus.sessionBus();
  const server = new NotificationServer();
  const watcher = new TrayWatcher();
  bus.export("/org/freedesktop/Notifications", server);
  bus.export("/StatusNotifierWatcher", watcher);
  await own(bus, "org.freedesktop.Notifications");
  if (tray) await own(bus, "org.kde.StatusNotifierWatcher");

  const broker = (await bus.getProxyObject("org.freedesktop.DBus", "/org/freedesktop/DBus")).getInterface(
    "org.freedesktop.DBus",
  );
  broker.on("NameOwnerChanged", (name: string, _old: string, owner: string) => {
    if (owner === "") watcher.remove(name);
  });
  const itemsOf = async (pid: number) => {
    const owners = await Promise.all(
      watcher.items.map((item) => broker.GetConnectionUnixProcessID?.(item).catch(() => undefined)),
    );
    return watcher.items.filter((_item, at) => owners[at] === pid);
  };
  return {
    notifications: server.received,
    activate: (id, action) => server.activate(id, action),
    trayItem: async (pid) =>
      new TrayItem(bus, await until("the icon in the tray", async () => (await itemsOf(pid))[0])),
    trayItems: async (pid) => (await itemsOf(pid)).length,
    async [Symbol.asyncDispose]() {
      // A call that is still on its way would be answered on the closed connection, which throws where nothing catches.
      bus.send = () => undefined;
      bus.disconnect();
    },
  };
}

async function own(bus: dbus.MessageBus, name: string): Promise<void> {
  const PRIMARY_OWNER = 1;
  const take = async () => (await bus.requestName(name, dbus.NameFlag.DO_NOT_QUEUE)) === PRIMARY_OWNER;
  await until(`${name}, which another desktop on this bus has`, take);
}
