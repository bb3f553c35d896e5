import { languageOf } from "../../../core/phrases.ts";
import { desktopText } from "../../../core/protocol/desktop-settings.ts";
import {
  publicName,
  type Setting,
  settingList,
  settingText,
  type TerminalSettingName,
} from "../../../core/protocol/settings.ts";
import type { PanelContent } from "../../../preload/channels.ts";
import { localizedSetting } from "../../settings/localized-setting.ts";
import type { SettingValue } from "../../settings/setting-row.tsx";
import { ownLanguage } from "../../ui/own-language.ts";
import { useStore } from "../../ui/store.ts";
import { usePanel } from "../use-panel.ts";

/** Returns the settings that can be changed here, with their values, in the order of the sections. */
export function useSettingValues(): readonly SettingValue[] {
  const { content, stores, call } = usePanel();
  const language = ownLanguage(window);
  const chosen = useStore(language);
  const terminals: ReadonlyMap<string, boolean | number | string> = new Map(Object.entries(useStore(stores.terminals)));
  return settingList.flatMap((declared): SettingValue | readonly SettingValue[] => {
    const setting = localizedSetting(declared);
    if (setting.only === "mac" && !/mac/i.test(navigator.platform)) return [];
    const kept = terminals.get(setting.name);
    if (kept !== undefined) {
      const name = setting.name as TerminalSettingName;
      return { setting, text: settingText(kept), set: (text: string) => stores.terminals.setText(name, text) };
    }
    if (setting.name === "language" && content.desktop === undefined) {
      return { setting, text: chosen, set: (choice: string) => language.set(languageOf(choice) ?? "system") };
    }
    const text = textOf(content, setting);
    if (text === undefined) return [];
    return {
      setting,
      text,
      set: (value: string) => void call("setSetting", { name: publicName(setting.name), value }),
      disabled: isOverridden(content, setting),
    };
  });
}

/** The value of a setting of the relay or the app; undefined where there is no app. */
function textOf({ budgets, desktop }: PanelContent, setting: Setting): string | undefined {
  if (setting.name === "budgetDay") return settingText(budgets.day ?? setting.fallback);
  if (setting.name === "budgetSession") return settingText(budgets.session ?? setting.fallback);
  return desktop === undefined ? undefined : desktopText(desktop.settings, setting);
}

/** Whether the command line of this run decides. */
function isOverridden({ desktop }: PanelContent, { name }: Setting): boolean {
  if (name === "port") return desktop?.relay.portOverridden === true;
  return name === "reach" && desktop?.relay.listenOverridden === true;
}
