import { z } from "zod";
import { formatNumber } from "../../core/phrases.ts";
import { persistedValue } from "./persisted.ts";
import { createStore, type Store } from "./store.ts";
import { MAX_THEME_NAME } from "./terminal-themes.ts";
import { words } from "./words.ts";

/** How bright the app is. */
export type Appearance = "dark" | "light";

export const settingGroups = ["colours", "text", "cursor", "behaviour"] as const;

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
    ...words.settings.darkTheme,
    help: "",
    group: "colours",
    appearance: "dark",
  }),
  lightTheme: theme({
    ...words.settings.lightTheme,
    help: "",
    group: "colours",
    appearance: "light",
  }),
  contrast: number({
    ...words.settings.contrast,
    group: "colours",
    bounds: { min: 1, max: 21, step: 0.5, unit: "" },
    fallback: 4.5,
  }),
  font: font({
    ...words.settings.font,
    group: "text",
  }),
  fontSize: number({
    ...words.settings.fontSize,
    group: "text",
    bounds: { min: 8, max: 32, step: 1, unit: "px" },
    fallback: 13,
  }),
  lineHeight: number({
    ...words.settings.lineHeight,
    group: "text",
    bounds: { min: 1, max: 2, step: 0.05, unit: "" },
    fallback: 1.2,
  }),
  ligatures: flag({
    ...words.settings.ligatures,
    group: "text",
    fallback: false,
  }),
  images: flag({
    ...words.settings.images,
    group: "text",
    fallback: true,
  }),
  cursorStyle: choice({
    ...words.settings.cursorStyle,
    group: "cursor",
    fallback: "block",
  }),
  cursorBlink: flag({ ...words.settings.cursorBlink, help: "", group: "cursor", fallback: false }),
  bell: choice({
    ...words.settings.bell,
    group: "behaviour",
    fallback: "visual",
  }),
  copyOnSelect: flag({
    ...words.settings.copyOnSelect,
    group: "behaviour",
    fallback: false,
  }),
  scrollSpeed: number({
    ...words.settings.scrollSpeed,
    group: "behaviour",
    bounds: { min: 0.25, max: 10, step: 0.25, unit: "" },
    fallback: 1,
  }),
  scrollback: choice({
    ...words.settings.scrollback,
    group: "behaviour",
    choices: {
      "1000": formatNumber(1_000),
      "5000": formatNumber(5_000),
      "10000": formatNumber(10_000),
      "50000": formatNumber(50_000),
      "100000": formatNumber(100_000),
    },
    fallback: "10000",
  }),
  finishedAfter: number({
    ...words.settings.finishedAfter,
    group: "behaviour",
    bounds: { min: 0, max: 86_400, step: 5, unit: "s" },
    fallback: 40,
  }),
  optionAsMeta: flag({
    ...words.settings.optionAsMeta,
    group: "behaviour",
    only: "mac",
    fallback: false,
  }),
  screenReader: flag({
    ...words.settings.screenReader,
    group: "behaviour",
    fallback: false,
  }),
  closeEnded: flag({
    ...words.settings.closeEnded,
    group: "behaviour",
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
