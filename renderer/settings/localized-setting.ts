import { formatNumber } from "../../core/phrases.ts";
import { settingWords } from "../../core/protocol/setting-words.ts";
import type { Setting, SettingControl } from "../../core/protocol/settings.ts";
import { spoken } from "../ui/language.ts";

interface Said {
  readonly label: string;
  readonly help?: string;
  readonly synonyms?: string;
  readonly choices?: Readonly<Record<string, string>>;
}

/** Returns a setting with its texts in the language of the page. */
export function localizedSetting<One extends Setting>(setting: One): One {
  const { label, help = "", synonyms, choices = {} }: Said = settingWords[setting.name];
  return {
    ...setting,
    label,
    help,
    ...(synonyms !== undefined && { synonyms }),
    control: said(setting.control, choices),
  };
}

function said(control: SettingControl, words: Readonly<Record<string, string>>): SettingControl {
  if (control.kind !== "choice") return control;
  // A choice without words is a number.
  const choices = control.choices.map(({ value }) => ({ value, label: words[value] ?? formatNumber(Number(value)) }));
  return { ...control, choices };
}

spoken(settingWords, {
  de: () => import("./setting-words.de.ts").then((german) => german.settingWords),
  ja: () => import("./setting-words.ja.ts").then((japanese) => japanese.settingWords),
});
