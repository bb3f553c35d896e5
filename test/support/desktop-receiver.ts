/**
 * A desktop for programs on this session bus, as a program of its own: prints a line of JSON for every notification and for
 * every icon in the tray with its menu, until it is ended.
 */
import dbus from "dbus-next";
import { NotificationServer } from "./dbus/notification-server.ts";
import { TrayItem } from "./dbus/tray-item.ts";
import { TrayWatcher } from "./dbus/tray-watcher.ts";

const LOOK_EVERY_MS = 100;

const bus = dbus.sessionBus();
const server = new NotificationServer();
const watcher = new TrayWatcher();
bus.export("/org/freedesktop/Notifications", server);
bus.export("/StatusNotifierWatcher", watcher);
await bus.requestName("org.freedesktop.Notifications", 0);
await bus.requestName("org.kde.StatusNotifierWatcher", 0);
say({ ready: true });

let told = 0;
const asked = new Set<string>();
setInterval(() => {
  for (const notification of server.received.slice(told)) say({ notification });
  told = server.received.length;
  for (const service of watcher.items.filter((item) => !asked.has(item))) {
    asked.add(service);
    void readTray(service);
  }
}, LOOK_EVERY_MS);

async function readTray(service: string): Promise<void> {
  try {
    const item = new TrayItem(bus, service);
    say({ tray: { title: await item.title(), menu: (await item.menu()).map(({ label }) => label) } });
  } catch {
    // Its menu comes a moment after the icon.
    asked.delete(service);
  }
}

function say(line: unknown): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
