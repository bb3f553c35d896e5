import "./settings.css";
import { useEffect, useId, useRef, useState } from "react";
import { useStore } from "../../ui/store.ts";
import { type SettingDescription, settingGroups, settingList } from "../../ui/terminal-settings.ts";
import { words as shared } from "../../ui/words.ts";
import { appearanceOf } from "../terminal/terminal-theme.ts";
import { useView } from "../view/view.ts";
import { words } from "../words/index.ts";
import { ImportedThemes } from "./imported-themes.tsx";
import { SettingField } from "./setting-field.tsx";
import { TerminalPreview } from "./terminal-preview.tsx";

/** Dialog with the settings of terminals, while it is open. Each change applies at once. */
export function SettingsDialog() {
  const view = useView();
  const open = useStore(view.ui.settingsOpen);
  return open ? <Settings close={() => view.ui.settingsOpen.set(false)} /> : null;
}

function Settings({ close }: { close: () => void }) {
  const { ui, shortcuts } = useView();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const [appearance, setAppearance] = useState(() => appearanceOf(document));
  const first = useRef(appearance);
  useEffect(() => {
    dialog.current?.showModal();
    // Otherwise the list would have the focus, because it scrolls.
    dialog.current?.querySelector<HTMLElement>(`[data-appearance="${first.current}"]`)?.focus();
  }, []);
  const applies = ({ only }: SettingDescription) => only === undefined || shortcuts.mac;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too, through onCancel
    <dialog
      ref={dialog}
      className="dialog settings"
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div className="settings-inside">
        <h2 id={heading}>{words.settings.title}</h2>
        <p>{words.settings.hint}</p>
        <TerminalPreview appearance={appearance} />
        <div className="settings-groups">
          {settingGroups.map((group) => (
            <fieldset key={group}>
              <legend>{shared.settings.groups[group]}</legend>
              {settingList
                .filter((setting) => setting.group === group && applies(setting))
                .map((setting) => (
                  <SettingField
                    key={setting.name}
                    setting={setting}
                    focused={() => setting.control.kind === "theme" && setAppearance(setting.control.appearance)}
                  />
                ))}
              {group === "colours" && <ImportedThemes chosen={setAppearance} />}
            </fieldset>
          ))}
        </div>
        <div className="actions">
          <button type="button" className="button quiet" onClick={() => ui.settings.reset()}>
            {words.settings.useDefaults}
          </button>
          <button type="button" className="button primary" onClick={close}>
            {words.settings.done}
          </button>
        </div>
      </div>
    </dialog>
  );
}
