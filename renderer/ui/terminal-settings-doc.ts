import { LANGUAGE } from "../../core/phrases.ts";
import { type SettingDescription, settingGroups, settingList } from "./terminal-settings.ts";
import { builtInThemes, OWN_THEME } from "./terminal-themes.ts";
import { words } from "./words.ts";

/** Returns docs/terminal-settings.md: the settings with their values and defaults. */
export function terminalSettingsDoc(): string {
  const groups = settingGroups.map((group) => {
    const rows = settingList.filter((setting) => setting.group === group).map(row);
    return [
      `## ${words.settings.groups[group]}`,
      "",
      "| setting | values | default | |",
      "|---|---|---|---|",
      ...rows,
      "",
    ].join("\n");
  });
  return [
    "# Terminal settings",
    "",
    "<!-- Written by `npm run docs` from renderer/ui/terminal-settings.ts. -->",
    "",
    "<kbd>Ctrl ,</kbd> (on a Mac <kbd>⌘ ,</kbd>) opens them in the [session view](session-view.md). A change applies at once to all",
    "terminals of this browser or this app, on this device, and is kept in its local storage.",
    "",
    ...groups,
  ].join("\n");
}

function row({ label, help, only, fallback, control }: SettingDescription): string {
  const note = [only === "mac" ? "On a Mac." : "", help].filter((text) => text !== "").join(" ");
  return `| ${[label, valuesOf(control), defaultOf(control, fallback), note].join(" | ")} |`;
}

function valuesOf(control: SettingDescription["control"]): string {
  switch (control.kind) {
    case "switch":
      return "on, off";
    case "number":
      return `${control.min} to ${control.max}${control.unit === "" ? "" : ` ${control.unit}`}`;
    case "choice":
      return control.choices.map(choiceLabel).join("; ");
    case "font":
      return "a name";
    case "theme":
      return [OWN_THEME, ...builtInThemes.map(({ name }) => name), "imported ones"].join("; ");
  }
}

function defaultOf(control: SettingDescription["control"], fallback: string): string {
  if (control.kind === "switch") return fallback === "1" ? "on" : "off";
  if (control.kind === "choice")
    return control.choices
      .filter(({ value }) => value === fallback)
      .map(choiceLabel)
      .join();
  if (fallback !== "") return fallback;
  return control.kind === "theme" ? OWN_THEME : "JetBrains Mono";
}

/** The document has the same numbers wherever it is written. */
function choiceLabel({ value, label }: { readonly value: string; readonly label: string }): string {
  return /^\d+$/.test(value) ? Number(value).toLocaleString(LANGUAGE) : label;
}
