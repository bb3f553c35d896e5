import { formatChords, type OwnChords, parseChords } from "../../session/keys/own-chords.ts";
import { persistedValue } from "../../ui/persisted.ts";
import { persistedSettings } from "../../ui/terminal-settings.ts";
import { persistedThemes } from "../../ui/terminal-themes.ts";
import type { PanelStores } from "../use-panel.ts";

/** Opens what this device keeps for the session view: once in a page, because a store hears of other pages only. */
export function panelStores(window: Window): PanelStores {
  return {
    terminals: persistedSettings(window),
    themes: persistedThemes(window),
    chords: persistedValue<OwnChords>(window, {
      key: "patchbay.shortcuts",
      parse: parseChords,
      format: formatChords,
      fallback: {},
    }),
  };
}
