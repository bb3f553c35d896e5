import dbus, { type MessageBus } from "dbus-next";

const ITEM = "org.kde.StatusNotifierItem";
const ITEM_PATH = "/StatusNotifierItem";
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
    await this.#call(ITEM_PATH, ITEM, "Activate", "ii", [0, 0]);
  }

  async menu(): Promise<readonly MenuEntry[]> {
    const path = await this.#menuPath();
    const [, root] = await this.#call(path, MENU, "GetLayout", "iias", [0, -1, []]);
    return entryOf(root as RawEntry).entries;
  }

  /**
   * Clicks the entry with this path of labels; a label counts when it begins with what is given. The app replaces its menu
   * when what it shows changes, so that an entry may be another one by the time of the click.
   */
  async choose(...labels: readonly string[]): Promise<void> {
    let id = await this.#entry(labels);
    for (;;) {
      const event = [id, "clicked", new dbus.Variant("i", 0), 0];
      try {
        await this.#call(await this.#menuPath(), MENU, "Event", "isvu", event);
        return;
      } catch (error) {
        const now = await this.#entry(labels);
        if (now === id) throw error;
        id = now;
      }
    }
  }

  async #entry(labels: readonly string[]): Promise<number | undefined> {
    let entries = await this.menu();
    let found: MenuEntry | undefined;
    for (const label of labels) {
      found = entries.find((entry) => entry.label.startsWith(label));
      if (found === undefined) throw new Error(`no "${label}" in: ${entries.map((entry) => entry.label).join(", ")}`);
      entries = found.entries;
    }
    return found?.id;
  }

  async #menuPath(): Promise<string> {
    return String(await this.#property("Menu"));
  }

  async #property(name: string): Promise<unknown> {
    const [value] = await this.#call(ITEM_PATH, "org.freedesktop.DBus.Properties", "Get", "ss", [ITEM, name]);
    return value instanceof dbus.Variant ? value.value : value;
  }

  /** By message and not by proxy: Chromium's objects do not describe themselves. */
  async #call(path: string, face: string, member: string, signature: string, body: unknown[]): Promise<unknown[]> {
    const destination = this.service;
    const answer = await this.#bus.call(
      new dbus.Message({ destination, path, interface: face, member, signature, body }),
    );
    return answer?.body ?? [];
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
