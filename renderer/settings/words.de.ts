import { plural } from "../../core/phrases.ts";

const settings = {
  removed: (name: string) => `„${name}“ entfernt.`,
  files: "Dateien mit Farbschemata",
  removeTheme: (name: string) => `${name} entfernen`,
  remove: "Entfernen",
  importThemes: "Farbschemata importieren…",
  importHint: "Dateien von iTerm2 (.itermcolors), Windows Terminal (JSON) oder Ghostty.",
  imported: (count: number, name: string | undefined) =>
    plural(count, { one: `„${name}“ importiert.`, other: (n) => `${n} Farbschemata importiert.` }),
  dark: "Dunkel",
  light: "Hell",
  while: "Farben, während die App so ist",
  preview: "Vorschau",
  reset: "Zurücksetzen",
  resetTo: (name: string, value: string) => `${name} auf ${value} zurücksetzen`,
  from: "Von",
  to: "Bis",
  sample: { folder: "~/orders", command: "$ npm test", passed: "✓ 31", failed: "✗ 1", took: "96 ms", prompt: "$" },
  numberBetween: (min: number, max: number) => `Eine Zahl von ${min} bis ${max}.`,
  noneOf: { default: "Standard", none: "keines" },
  fontHint: "JetBrains Mono",
  noFontName: "Namen von Schriften enthalten keines dieser Zeichen: \\ ; { } ( ) < >",
  noSuchFont: "Dieses Gerät hat keine Schrift dieses Namens; JetBrains Mono wird verwendet.",
  title: "Terminaleinstellungen",
  hint: "Sie gelten auf diesem Gerät, nur für deine Terminals.",
  useDefaults: "Standardwerte verwenden",
  done: "Fertig",
};

const shortcuts = {
  title: "Tastenkürzel",
  hint: "Ein Kürzel wählen und andere Tasten dafür drücken; die Rücktaste entfernt es. Sie gelten auf diesem Gerät.",
  filter: "Tastenkürzel filtern",
  none: "Keines",
  nothing: (text: string) => `Kein Tastenkürzel heißt „${text}“.`,
  press: "Tasten drücken…",
  keysOf: (title: string, keys: string) => `${title}: ${keys}`,
  reset: "Zurücksetzen",
  resetOf: (title: string) => `Tastenkürzel zurücksetzen: ${title}`,
  unusable: "Braucht Strg, Alt, ⌘ oder eine Funktionstaste.",
  taken: (title: string) => `„${title}“ hatte diese Tasten und hat jetzt keine.`,
  file: "Datei mit Tastenkürzeln",
  open: "Datei lesen…",
  save: "Als Datei speichern",
  noFile: "Das ist keine Datei mit Tastenkürzeln: JSON mit Namen von Aktionen und ihren Tasten.",
  read: (count: number) =>
    plural(count, { one: "1 Tastenkürzel gelesen.", other: (n) => `${n} Tastenkürzel gelesen.` }),
};

export const words = { settings, shortcuts };
