import { z } from "zod";
import { persistedValue } from "./persisted.ts";
import { createStore, type Store } from "./store.ts";
import { MAX_THEME_NAME } from "./terminal-themes.ts";

/** How bright the app is. */
export type Appearance = "dark" | "light";

export const settingGroups = ["Colours", "Text", "Cursor", "Behaviour"] as const;

interface Named {
  readonly label: string;
  readonly help: string;
  readonly group: (typeof settingGroups)[number];
  /** The only system that it applies to. */
  readonly only?: "mac";
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly unit: string;
}

/** The control that the form has for a setting. */
type Control =
  | ({ readonly kind: "number" } & Bounds)
  | { readonly kind: "choice"; readonly choices: readonly { readonly value: string; readonly label: string }[] }
  | { readonly kind: "switch" }
  | { readonly kind: "font" }
  /** A theme of `builtInThemes`, or one that the user has imported. */
  | { readonly kind: "theme"; readonly appearance: Appearance };

/** What the form and the documentation say about a setting. */
export interface SettingDescription extends Named {
  readonly control: Control;
  /** The default, as text. */
  readonly fallback: string;
  /** Reports whether a text is a value of the setting. */
  isValid(text: string): boolean;
}

const descriptions = z.registry<SettingDescription>();

/**
 * The settings of terminals. The form, the storage, the defaults and docs/terminal-settings.md derive from this list. A
 * schema parses the stored text; for an invalid one it answers the default.
 */
const declared = {
  darkTheme: theme({
    label: "Colours while the app is dark",
    help: "",
    group: "Colours",
    appearance: "dark",
  }),
  lightTheme: theme({
    label: "Colours while the app is light",
    help: "",
    group: "Colours",
    appearance: "light",
  }),
  contrast: number({
    label: "Least contrast of text",
    help: "4.5 is what accessibility asks for; 1 leaves all colours as they are.",
    group: "Colours",
    bounds: { min: 1, max: 21, step: 0.5, unit: "" },
    fallback: 4.5,
  }),
  font: font({
    label: "Font",
    help: "The name of a fixed-width font on this device, or several with commas between them. Empty: JetBrains Mono, which comes with Patchbay.",
    group: "Text",
  }),
  fontSize: number({
    label: "Font size",
    help: "Shells of other people are drawn smaller where they would not fit.",
    group: "Text",
    bounds: { min: 8, max: 32, step: 1, unit: "px" },
    fallback: 13,
  }),
  lineHeight: number({
    label: "Line height",
    help: "As a multiple of the font's own.",
    group: "Text",
    bounds: { min: 1, max: 2, step: 0.05, unit: "" },
    fallback: 1.2,
  }),
  ligatures: flag({
    label: "Ligatures",
    help: "Draws sequences such as => and != as one sign, where the font has one.",
    group: "Text",
    fallback: false,
  }),
  images: flag({
    label: "Images",
    help: "Draws images that programs print as sixel or in the protocol of iTerm2. A terminal keeps 32 MB of them at most.",
    group: "Text",
    fallback: true,
  }),
  cursorStyle: choice({
    label: "Cursor",
    help: "A program may choose another for itself.",
    group: "Cursor",
    choices: { block: "Block", bar: "Bar", underline: "Underline" },
    fallback: "block",
  }),
  cursorBlink: flag({ label: "Blinking cursor", help: "", group: "Cursor", fallback: false }),
  bell: choice({
    label: "Bell",
    help: "What a program's bell does.",
    group: "Behaviour",
    choices: { none: "Nothing", visual: "Highlight the tile's border", sound: "Play a sound" },
    fallback: "visual",
  }),
  copyOnSelect: flag({
    label: "Copy on select",
    help: "Puts what you select with the pointer on the clipboard.",
    group: "Behaviour",
    fallback: false,
  }),
  scrollSpeed: number({
    label: "Scroll speed",
    help: "As a multiple of the usual one.",
    group: "Behaviour",
    bounds: { min: 0.25, max: 10, step: 0.25, unit: "" },
    fallback: 1,
  }),
  scrollback: choice({
    label: "Lines kept above the screen",
    help: "More lines take more memory.",
    group: "Behaviour",
    choices: { "1000": "1,000", "5000": "5,000", "10000": "10,000", "50000": "50,000", "100000": "100,000" },
    fallback: "10000",
  }),
  finishedAfter: number({
    label: "Tell of commands that took longer than",
    help: "When they end and you do not see their tile. 0: never.",
    group: "Behaviour",
    bounds: { min: 0, max: 86_400, step: 5, unit: "s" },
    fallback: 40,
  }),
  optionAsMeta: flag({
    label: "Option as Meta",
    help: "Option sends what Alt does elsewhere, instead of special characters. Shortcuts with Option and Shift stay.",
    group: "Behaviour",
    only: "mac",
    fallback: false,
  }),
  screenReader: flag({
    label: "Read out by screen readers",
    help: "Keeps the text in the page, which takes time to draw.",
    group: "Behaviour",
    fallback: false,
  }),
  closeEnded: flag({
    label: "Close the tiles of shells that exit with 0",
    help: "Tiles of failed shells stay open.",
    group: "Behaviour",
    fallback: false,
  }),
};

const Settings = z.object(declared);
export type TerminalSettings = Readonly<z.output<typeof Settings>>;
export type SettingName = keyof TerminalSettings;

/** The settings in the order of the form, with their descriptions. */
export const settingList: readonly (SettingDescription & { readonly name: SettingName })[] =
  Settings.keyof().options.flatMap((name) => {
    const description = descriptions.get(declared[name]);
    return description === undefined ? [] : [{ name, ...description }];
  });

/** Every setting at its default. */
export const defaultSettings: TerminalSettings = Settings.parse({});

/** A user's settings of terminals, kept on this device and shared by all pages of this origin. */
export interface SettingsStore extends Pick<Store<TerminalSettings>, "get" | "subscribe"> {
  set<Name extends SettingName>(name: Name, value: TerminalSettings[Name]): void;
  /** Sets a value as the form has it. Returns whether it is one; otherwise nothing changes. */
  setText(name: SettingName, text: string): boolean;
  reset(): void;
}

/** Returns a setting's value as the form shows it and the storage keeps it. */
export function settingText(value: TerminalSettings[SettingName]): string {
  if (typeof value === "boolean") return value ? "1" : "0";
  return String(value);
}

export function persistedSettings(window: Window): SettingsStore {
  const texts = new Map(settingList.map(({ name }) => [name, persistedText(window, name)] as const));
  const read = () => Settings.parse(Object.fromEntries([...texts].map(([name, text]) => [name, text.get()])));
  const now = createStore<TerminalSettings>(read());
  for (const text of texts.values()) text.subscribe(() => now.set(read()));
  const write = (name: SettingName, text: string) => texts.get(name)?.set(text);
  return {
    get: now.get,
    subscribe: now.subscribe,
    set: (name, value) => write(name, settingText(value)),
    setText(name, text) {
      const valid = descriptions.get(declared[name])?.isValid(text) === true;
      if (valid) write(name, text);
      return valid;
    },
    reset() {
      for (const name of texts.keys()) write(name, "");
    },
  };
}

/** Returns a number within a setting's bounds. */
export function clampSetting(name: SettingName, value: number): number {
  const control = descriptions.get(declared[name])?.control;
  return control?.kind === "number" ? Math.min(control.max, Math.max(control.min, value)) : value;
}

/** The stored text of a setting; empty: the default. */
function persistedText(window: Window, name: SettingName): Store<string> {
  const key = `patchbay.${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return persistedValue(window, { key, parse: (text) => text, format: (text) => text, fallback: "" });
}

function number({ bounds, fallback, ...named }: Named & { bounds: Bounds; fallback: number }) {
  const text = z.string().trim().min(1).transform(Number).pipe(z.number().min(bounds.min).max(bounds.max));
  const control: Control = { kind: "number", ...bounds };
  return text.catch(fallback).register(descriptions, { ...named, control, ...checked(text, String(fallback)) });
}

function flag({ fallback, ...named }: Named & { fallback: boolean }) {
  const text = z.enum(["0", "1"]).transform((value) => value === "1");
  const control: Control = { kind: "switch" };
  return text.catch(fallback).register(descriptions, { ...named, control, ...checked(text, fallback ? "1" : "0") });
}

function choice<const Value extends string>({
  choices,
  fallback,
  ...named
}: Named & { choices: Readonly<Record<Value, string>>; fallback: NoInfer<Value> }) {
  const list = Object.entries<string>(choices).map(([value, label]) => ({ value, label }));
  const text = z.custom<Value>((value) => list.some((one) => one.value === value));
  const control: Control = { kind: "choice", choices: list };
  return text.catch(() => fallback).register(descriptions, { ...named, control, ...checked(text, fallback) });
}

/** Names of fonts: no characters that would end a name in CSS. */
function font(named: Named) {
  const text = z
    .string()
    .trim()
    .max(200)
    .regex(/^[^\\;{}<>()\p{Cc}]*$/u);
  return text.catch("").register(descriptions, { ...named, control: { kind: "font" }, ...checked(text, "") });
}

/** The name of a theme; empty, or that of a removed one: Patchbay's own. */
function theme({ appearance, ...named }: Named & { appearance: Appearance }) {
  const text = z.string().max(MAX_THEME_NAME);
  const control: Control = { kind: "theme", appearance };
  return text.catch("").register(descriptions, { ...named, control, ...checked(text, "") });
}

function checked(text: z.ZodType, fallback: string): Pick<SettingDescription, "fallback" | "isValid"> {
  return { fallback, isValid: (value) => text.safeParse(value).success };
}
