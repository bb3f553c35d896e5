import type { ViewAction } from "../keys/keymap.ts";
import { MODAL } from "../view/keyboard-focus.ts";
import type { View } from "../view/view.ts";

/** Reports whether a shortcut may run over what is open: a question takes none, the palette and the settings their own. */
export function mayRun({ ui }: View, action: ViewAction | undefined): boolean {
  if (ui.question.get() !== undefined || ui.menu.get() !== undefined) return false;
  if (ui.shortcutsOpen.get()) return false;
  if (ui.settingsOpen.get()) return action === "settings";
  if (ui.overviewOpen.get()) return action === "overview";
  if (ui.searchOpen.get()) return action === "search-all" || action === "search";
  if (ui.palette.get() !== undefined) return action === "palette" || action === "switcher";
  // The sheet of what can be started again and the questions of the drawer are no state of the view.
  return document.querySelector(MODAL) === null;
}
