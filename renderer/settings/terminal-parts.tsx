import "../ui/controls.css";
import "./settings.css";
import * as ToggleGroup from "@radix-ui/react-toggle-group";
import { useState } from "react";
import { settingWords } from "../../core/protocol/setting-words.ts";
import {
  type Appearance,
  type SettingSection,
  settingGroups,
  settingText,
  type TerminalSettingName,
  terminalSettings,
} from "../../core/protocol/settings.ts";
import { appearanceOf } from "../session/terminal/terminal-theme.ts";
import { useStore } from "../ui/store.ts";
import type { SettingsStore } from "../ui/terminal-settings.ts";
import { ImportedThemes } from "./imported-themes.tsx";
import { localizedSetting } from "./localized-setting.ts";
import { SettingRow, type SettingValue } from "./setting-row.tsx";
import { TerminalPreview } from "./terminal-preview.tsx";
import type { TerminalStores } from "./terminal-stores.ts";
import { ThemeCards } from "./theme-cards.tsx";
import { words } from "./words.ts";

const isMac = (): boolean => /mac/i.test(navigator.platform);

/** Returns the settings of terminals with their values, of those that this system has. */
function useTerminalValues(settings: SettingsStore, section?: SettingSection): readonly SettingValue[] {
  const now = useStore(settings);
  return terminalSettings
    .filter((setting) => section === undefined || setting.section === section)
    .filter(({ only }) => only === undefined || isMac())
    .map((setting) => ({
      setting: localizedSetting(setting),
      text: settingText(now[setting.name]),
      set: (text: string) => settings.setText(setting.name, text),
    }));
}

/**
 * A sample that follows every change, the themes as cards, and what else colours depend on; `wanted`: whose themes are to be
 * shown.
 */
export function TerminalColours(props: TerminalStores & { readonly wanted?: Appearance | undefined }) {
  const { settings, themes, wanted } = props;
  const [appearance, setAppearance] = useState<Appearance>(() => wanted ?? appearanceOf(document));
  const [seen, setSeen] = useState(wanted);
  if (wanted !== seen) {
    setSeen(wanted);
    if (wanted !== undefined) setAppearance(wanted);
  }
  const [tried, tryOut] = useState<string>();
  const imported = useStore(themes);
  const values = useTerminalValues(settings, "appearance");
  const name: TerminalSettingName = appearance === "dark" ? "darkTheme" : "lightTheme";
  const theme = values.find(({ setting }) => setting.name === name);
  return (
    <>
      <TerminalPreview settings={settings} themes={themes} appearance={appearance} tried={tried} />
      <div className="setting-head">
        <span>{words.settings.while}</span>
        <ToggleGroup.Root
          type="single"
          className="segments"
          aria-label={words.settings.while}
          value={appearance}
          onValueChange={(chosen) => (chosen === "dark" || chosen === "light") && setAppearance(chosen)}
        >
          <ToggleGroup.Item value="dark" className="segment">
            {words.settings.dark}
          </ToggleGroup.Item>
          <ToggleGroup.Item value="light" className="segment">
            {words.settings.light}
          </ToggleGroup.Item>
        </ToggleGroup.Root>
      </div>
      {theme !== undefined && (
        <ThemeCards
          label={theme.setting.label}
          setting={name}
          appearance={appearance}
          imported={imported}
          chosen={theme.text}
          choose={theme.set}
          tryOut={tryOut}
        />
      )}
      <ImportedThemes settings={settings} themes={themes} chosen={setAppearance} />
      <div className="setting-rows">
        {values
          .filter(({ setting }) => setting.control.kind !== "theme")
          .map((value) => (
            <SettingRow key={value.setting.name} value={value} />
          ))}
      </div>
    </>
  );
}

/** Font, cursor and behaviour of terminals. */
export function TerminalBehaviour({ settings }: Pick<TerminalStores, "settings">) {
  const values = useTerminalValues(settings, "terminal");
  return settingGroups.map((group) => (
    <fieldset key={group} className="setting-group">
      <legend>{settingWords.groups[group]}</legend>
      <div className="setting-rows">
        {values
          .filter(({ setting }) => setting.group === group)
          .map((value) => (
            <SettingRow key={value.setting.name} value={value} />
          ))}
      </div>
    </fieldset>
  ));
}
