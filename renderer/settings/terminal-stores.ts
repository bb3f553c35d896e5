import type { Store } from "../ui/store.ts";
import type { SettingsStore } from "../ui/terminal-settings.ts";
import type { TerminalPalette } from "../ui/terminal-themes.ts";

/** What the look of terminals is made of. */
export interface TerminalStores {
  readonly settings: SettingsStore;
  /** The themes that the user has imported. */
  readonly themes: Store<readonly TerminalPalette[]>;
}
