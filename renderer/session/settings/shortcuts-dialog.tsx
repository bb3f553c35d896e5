import { ShortcutList } from "../../settings/shortcut-list.tsx";
import { words } from "../../settings/words.ts";
import { useKeys, useView } from "../view/view.ts";
import { SettingsFrame } from "./settings-frame.tsx";

/** Dialog with all shortcuts. */
export function ShortcutsDialog() {
  const { shortcutsOpen, chords } = useView().ui;
  const shortcuts = useKeys();
  const close = () => shortcutsOpen.set(false);
  return (
    <SettingsFrame className="shortcuts" title={words.shortcuts.title} hint={words.shortcuts.hint} close={close}>
      <ShortcutList shortcuts={shortcuts} chords={chords}>
        <button type="button" className="button primary" onClick={close}>
          {words.settings.done}
        </button>
      </ShortcutList>
    </SettingsFrame>
  );
}
