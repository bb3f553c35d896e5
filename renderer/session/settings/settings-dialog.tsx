import { TerminalBehaviour, TerminalColours } from "../../settings/terminal-parts.tsx";
import { words } from "../../settings/words.ts";
import { useView } from "../view/view.ts";
import { SettingsFrame } from "./settings-frame.tsx";

/** Dialog with the settings of terminals. Each change applies at once. */
export function SettingsDialog() {
  const { settingsOpen, settings, themes } = useView().ui;
  const close = () => settingsOpen.set(false);
  return (
    <SettingsFrame title={words.settings.title} hint={words.settings.hint} close={close}>
      <div className="settings-groups">
        <TerminalColours settings={settings} themes={themes} />
        <TerminalBehaviour settings={settings} />
      </div>
      <div className="actions">
        <button type="button" className="button quiet" onClick={() => settings.reset()}>
          {words.settings.useDefaults}
        </button>
        <button type="button" className="button primary" onClick={close}>
          {words.settings.done}
        </button>
      </div>
    </SettingsFrame>
  );
}
