import { createShortcuts } from "../../session/keys/keymap.ts";
import { withOwnChords } from "../../session/keys/own-chords.ts";
import { ShortcutList } from "../../settings/shortcut-list.tsx";
import { words as shared } from "../../settings/words.ts";
import { useStore } from "../../ui/store.ts";
import { usePanel } from "../use-panel.ts";

/** The shortcuts of the session view. */
export function Shortcuts() {
  const { content, stores } = usePanel();
  const own = useStore(stores.chords);
  const { bindings, ...keys } = createShortcuts(/mac/i.test(navigator.platform), {
    browser: content.desktop === undefined,
  });
  return (
    <div className="settings-shortcuts">
      <p className="panel-faint">{shared.shortcuts.hint}</p>
      <ShortcutList shortcuts={{ ...keys, bindings: withOwnChords(bindings, own) }} chords={stores.chords} />
    </div>
  );
}
