import { settingWords } from "../../core/protocol/setting-words.ts";
import {
  OWN_THEME,
  publicName,
  type Setting,
  settingList,
  settingSections,
  shownText,
  valuesOf,
} from "../../core/protocol/settings.ts";
import { builtInThemes } from "./terminal-themes.ts";

/** Returns docs/reference/settings.md: the settings with their names, values and defaults. */
export function settingsDoc(): string {
  const sections = settingSections.map((section) =>
    [
      `## ${settingWords.sections[section]}`,
      "",
      "| setting | name | values | default | |",
      "|---|---|---|---|---|",
      ...settingList.filter((setting) => setting.section === section).map(row),
      "",
    ].join("\n"),
  );
  return [
    "# Settings",
    "",
    "<!-- Written by `npm run docs` from core/protocol/settings.ts. -->",
    "",
    "The settings are in [a window of the app](../panel.md#settings), which <kbd>Ctrl ,</kbd> (on a Mac <kbd>⌘ ,</kbd>) opens, and in the panel",
    "of a browser; there the keys open those of terminals in the [session view](../session-view.md). A change applies at once where nothing else is said. `service settings` lists, shows and",
    "changes the same settings by their names, as do the HTTP API and the Model Context Protocol ([operations](operations.md)):",
    "",
    "```sh",
    "./bin/service settings                     # list them",
    "./bin/service settings get font-size",
    "./bin/service settings set theme dark",
    "./bin/service settings reset font-size",
    "```",
    "",
    "The app keeps its own settings and those of its terminals in `desktop.json` of the data folder. A browser keeps the settings of its",
    "terminals in its local storage; the commands do not reach those. Where the relay runs without the app, only the settings of the",
    "relay are there. Keys for automation and programs in shells may read settings and not change them.",
    "",
    ...sections,
  ].join("\n");
}

function row(setting: Setting): string {
  const { label, help, only, restart, place } = setting;
  const note = [
    only === "mac" ? "On a Mac." : "",
    place === "relay" ? "Of the relay." : "",
    help,
    restart === true ? "Takes effect at the next start." : "",
  ].filter((text) => text !== "");
  const cells = [label, `\`${publicName(setting.name)}\``, docValues(setting), docDefault(setting), note.join(" ")];
  return `| ${cells.join(" | ")} |`;
}

function docValues(setting: Setting): string {
  const { control } = setting;
  if (control.kind === "theme") {
    return [OWN_THEME, ...builtInThemes.map(({ name }) => name), "imported ones"].join("; ");
  }
  if (control.kind !== "choice") return valuesOf(setting);
  return control.choices
    .map(({ value, label }) => (/^\d+$/.test(value) ? numbered(value) : `\`${value}\`: ${label}`))
    .join("; ");
}

function docDefault(setting: Setting): string {
  const { control, fallback } = setting;
  if (control.kind === "choice" && /^\d+$/.test(fallback)) return numbered(fallback);
  return shownText(setting, fallback);
}

/** The document has the same numbers wherever it is written. */
function numbered(value: string): string {
  return `\`${value}\`: ${Number(value).toLocaleString("en")}`;
}
