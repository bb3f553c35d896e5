import { persistedChords } from "../../session/keys/own-chords.ts";
import { persistedSettings } from "../../ui/terminal-settings.ts";
import { persistedThemes } from "../../ui/terminal-themes.ts";
import type { PanelStores } from "../use-panel.ts";

/** Opens what this device keeps for the session view: once in a page, because a store hears of other pages only. */
export function panelStores(window: Window): PanelStores {
  return {
    terminals: persistedSettings(window),
    themes: persistedThemes(window),
    chords: persistedChords(window),
  };
}
