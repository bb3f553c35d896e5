import type { Terminal } from "@xterm/xterm";
import { onPointerSelection } from "../terminal/pointer-selection.ts";
import type { View } from "../view/view.ts";
import { words } from "../words/index.ts";

/** Puts what is selected with the pointer on the clipboard, if the user wants that. Returns an unsubscribe function. */
export function copyOnSelect(view: View, terminal: Pick<Terminal, "getSelection">, element: HTMLElement): () => void {
  return onPointerSelection(terminal, element, (text) => {
    if (!view.ui.settings.get().copyOnSelect) return;
    void navigator.clipboard.writeText(text).catch(() => {
      const message = words.terminal.noSelection;
      view.ui.toasts.show("error", message, [], "copy on select");
    });
  });
}
