import dbus, { type MessageBus } from "dbus-next";

const ITEM = "org.kde.StatusNotifierItem";
const MENU = "com.canonical.dbusmenu";

export interface MenuEntry {
  readonly id: number;
  readonly label: string;
  readonly enabled: boolean;
  readonly entries: readonly MenuEntry[];
}

/** Another program's icon in the tray: what a desktop sees of it, and what its user can do with it. */
export class TrayItem {
  readonly service: string;
  readonly #bus: MessageBus;

  constructor(bus: MessageBus, service: string) {
    this.#bus = bus;
    this.service = service;
  }

  /** What the desktop reads out for it. */
  async title(): Promise<string> {
    const tip = await this.#property("ToolTip");
    const text = Array.isArray(tip) ? tip[2] : "";
    return typeof text === "string" && text !== "" ? text : String(await this.#property("Title"));
  }

  /** A click with the main button. */
  async click(): Promise<void> {
    const object = await this.#bus.getProxyObject(this.service, "/StatusNotifierItem");
    await call(object.getInterface(ITEM), "Activate", 0, 0);
  }

  async menu(): Promise<readonly MenuEntry[]> {
    const menu = await this.#menu();
    await call(menu, "AboutToShow", 0);
    const [, root] = (await call(menu, "GetLayout", 0, -1, [])) as [number, RawEntry];
    return entryOf(root).entries;
  }

  /** Clicks the entry with this path of labels; a label counts when it begins with what is given. */
  async choose(...labels: readonly string[]): Promise<void> {
    let entries = await this.menu();
    let found: MenuEntry | undefined;
    for (const label of labels) {
      found = entries.find((entry) => entry.label.startsWith(label));
      if (found === undefined) throw new Error(`no "${label}" in: ${entries.map((entry) => entry.label).join(", ")}`);
      entries = found.entries;
    }
    await call(await this.#menu(), "Event", found?.id, "clicked", new dbus.Variant("i", 0), 0);
  }

  async #menu(): Promise<dbus.ClientInterface> {
    const object = await this.#bus.getProxyObject(this.service, String(await this.#property("Menu")));
    return object.getInterface(MENU);
  }

  async #property(name: string): Promise<unknown> {
    const object = await this.#bus.getProxyObject(this.service, "/StatusNotifierItem");
    const value = await call(object.getInterface("org.freedesktop.DBus.Properties"), "Get", ITEM, name);
    return value instanceof dbus.Variant ? value.value : value;
  }
}

type RawEntry = [id: number, properties: Record<string, dbus.Variant>, children: dbus.Variant[]];

function entryOf([id, properties, children]: RawEntry): MenuEntry {
  return {
    id,
    label: String(properties.label?.value ?? ""),
    enabled: properties.enabled?.value !== false,
    entries: children.map((child) => entryOf(child.value as RawEntry)),
  };
}

function call(target: dbus.ClientInterface, method: string, ...args: unknown[]): Promise<unknown> {
  const run = target[method] as ((...args: unknown[]) => Promise<unknown>) | undefined;
  if (run === undefined) throw new Error(`no method ${method}`);
  return run.apply(target, args);
}
