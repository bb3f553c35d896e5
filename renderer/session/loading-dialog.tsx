import { useModalDialog } from "./view/use-modal-dialog.ts";
import { useView, type View } from "./view/view.ts";
import { words } from "./words/index.ts";

/** Holds the place of a dialog that is being loaded: keys do not reach the terminal meanwhile, and Escape gives it up. */
export function LoadingDialog() {
  const { ui } = useView();
  const dialog = useModalDialog();
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-label={words.view.loading}
      aria-busy="true"
      onCancel={() => closeDialogs(ui)}
    />
  );
}

/** Closes the dialogs whose code is loaded on demand. */
export function closeDialogs(ui: View["ui"]): void {
  for (const isOpen of [ui.overviewOpen, ui.searchOpen, ui.settingsOpen, ui.shortcutsOpen]) isOpen.set(false);
}
