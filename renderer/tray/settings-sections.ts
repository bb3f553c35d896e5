import { type SettingsSection, settingsWindowSections } from "../../core/protocol/settings.ts";
import type { PanelContent } from "../../preload/channels.ts";

/** Sections with nothing in them outside of the desktop app. */
const ONLY_DESKTOP: ReadonlySet<SettingsSection> = new Set(["notifications", "machines"]);

/** Lists the sections that there are in this place. */
export function settingsSections({ desktop }: Pick<PanelContent, "desktop">): readonly SettingsSection[] {
  return settingsWindowSections.filter((section) => desktop !== undefined || !ONLY_DESKTOP.has(section));
}
