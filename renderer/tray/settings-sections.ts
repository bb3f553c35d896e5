import type { PanelContent } from "../../preload/channels.ts";

const all = [
  "general",
  "appearance",
  "terminal",
  "shortcuts",
  "notifications",
  "agents",
  "keys",
  "machines",
  "health",
  "about",
] as const;

export type SettingsSection = (typeof all)[number];

/** Sections with nothing in them outside of the desktop app. */
const ONLY_DESKTOP: ReadonlySet<SettingsSection> = new Set(["notifications", "machines"]);

/** Lists the sections that there are in this place. */
export function settingsSections({ desktop }: Pick<PanelContent, "desktop">): readonly SettingsSection[] {
  return all.filter((section) => desktop !== undefined || !ONLY_DESKTOP.has(section));
}
