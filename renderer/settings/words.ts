import { plural } from "../../core/phrases.ts";
import { spoken } from "../ui/language.ts";

/** The forms of settings. */
const settings = {
  removed: (name: string) => `Removed “${name}”.`,
  files: "Files with themes",
  removeTheme: (name: string) => `Remove ${name}`,
  remove: "Remove",
  importThemes: "Import themes…",
  importHint: "Files of iTerm2 (.itermcolors), Windows Terminal (JSON) or Ghostty.",
  imported: (count: number, name: string | undefined) =>
    plural(count, { one: `Imported “${name}”.`, other: (n) => `Imported ${n} themes.` }),
  dark: "Dark",
  light: "Light",
  while: "Colours while the app is",
  preview: "Preview",
  reset: "Reset",
  resetTo: (name: string, value: string) => `Reset ${name} to ${value}`,
  from: "From",
  to: "To",
  /** What a theme's card shows: a prompt, what a program prints, and a cursor. */
  sample: { folder: "~/orders", command: "$ npm test", passed: "✓ 31", failed: "✗ 1", took: "96 ms", prompt: "$" },
  numberBetween: (min: number, max: number) => `A number from ${min} to ${max}.`,
  /** Words that stand for no value in commands. */
  noneOf: { default: "default", none: "none" },
  fontHint: "JetBrains Mono",
  noFontName: "Names of fonts have none of these characters: \\ ; { } ( ) < >",
  noSuchFont: "This device has no font of that name; JetBrains Mono is used.",
  title: "Terminal settings",
  hint: "They apply on this device, to your terminals only.",
  useDefaults: "Use the defaults",
  done: "Done",
};

/** The list of shortcuts. */
const shortcuts = {
  title: "Keyboard shortcuts",
  hint: "Choose a shortcut to press other keys for it; Backspace removes it. They apply on this device.",
  filter: "Filter the shortcuts",
  none: "None",
  nothing: (text: string) => `No shortcut is called “${text}”.`,
  press: "Press the keys…",
  keysOf: (title: string, keys: string) => `${title}: ${keys}`,
  reset: "Reset",
  resetOf: (title: string) => `Reset the shortcut of: ${title}`,
  unusable: "Needs Ctrl, Alt, ⌘ or a function key.",
  taken: (title: string) => `“${title}” had these keys and has none now.`,
  file: "File with shortcuts",
  open: "Read a file…",
  save: "Save as a file",
  noFile: "This is no file of shortcuts: JSON with names of actions and their keys.",
  read: (count: number) => plural(count, { one: "Read 1 shortcut.", other: (n) => `Read ${n} shortcuts.` }),
};

/** The texts of the settings of terminals and shortcuts, in the session view and in the panel. */
export const words = { settings, shortcuts };

spoken(words, {
  de: () => import("./words.de.ts").then((german) => german.words),
  ja: () => import("./words.ja.ts").then((japanese) => japanese.words),
});
