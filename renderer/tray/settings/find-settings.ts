import { type SettingsSection, shownText } from "../../../core/protocol/settings.ts";
import type { SettingValue } from "../../settings/setting-row.tsx";
import { words } from "../words/index.ts";

/**
 * Finds settings by the starts of words: in their name, what people also call them, their values, and last in their
 * explanation; and sections by their name and keywords.
 */
export function findSettings(
  text: string,
  sections: readonly SettingsSection[],
  values: readonly SettingValue[],
): { readonly sections: readonly SettingsSection[]; readonly values: readonly SettingValue[] } {
  const wanted = wordsOf(text);
  const rank = (...texts: readonly string[]) => texts.findIndex((one) => isFound(wanted, one));
  const ranked = values
    .map((value) => ({ value, rank: rank(value.setting.label, also(value), value.setting.help) }))
    .filter((one) => one.rank !== -1)
    .toSorted((one, other) => one.rank - other.rank);
  return {
    sections: sections.filter((id) => rank(`${words.settings.names[id]} ${words.settings.keywords[id]}`) !== -1),
    values: ranked.map(({ value }) => value),
  };
}

function also({ setting, text }: SettingValue): string {
  const { control, synonyms = "", label } = setting;
  const choices = control.kind === "choice" ? control.choices.map((choice) => choice.label) : [];
  return [label, synonyms, shownText(setting, text), ...choices].join(" ");
}

function isFound(wanted: readonly string[], text: string): boolean {
  const there = wordsOf(text);
  return wanted.every((word) => there.some((one) => one.startsWith(word)));
}

function wordsOf(text: string): readonly string[] {
  return text
    .toLocaleLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}
