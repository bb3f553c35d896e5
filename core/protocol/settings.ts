import { z } from "zod";
import { settingWords } from "./setting-words.ts";

/** How bright the app is. */
export type Appearance = "dark" | "light";

/** The sections of the settings, in their order. */
export const settingSections = ["general", "appearance", "terminal", "notifications", "agents"] as const;
export type SettingSection = (typeof settingSections)[number];

/** The sections of the settings' window, in their order: also those that have no setting with a name. */
export const settingsWindowSections = [
  "general",
  "appearance",
  "terminal",
  "shortcuts",
  "notifications",
  "agents",
  "keys",
  "webhooks",
  "machines",
  "health",
  "about",
] as const;
export type SettingsSection = (typeof settingsWindowSections)[number];

/** The parts of a section that has several. */
export const settingGroups = ["text", "cursor", "behaviour"] as const;

/**
 * Where a setting applies, and is kept:
 *
 * - `app`: the desktop app on this machine.
 * - `terminals`: the terminals of the app on this machine. A browser keeps its own.
 * - `relay`: the relay, with or without the app.
 */
type SettingPlace = "app" | "terminals" | "relay";

/** Maximum length of a terminal theme's name. */
export const MAX_THEME_NAME = 60;
/** What the colours are called that terminals have without a theme. */
export const OWN_THEME = "Patchbay";
/** The font that comes with Patchbay. */
const OWN_FONT = "JetBrains Mono";

interface Named {
  readonly label: string;
  readonly help?: string;
  /** What people also call it, for the search. */
  readonly synonyms?: string;
  readonly section: SettingSection;
  readonly group?: (typeof settingGroups)[number];
  /** The only system that it applies to. */
  readonly only?: "mac";
  /** It takes effect at the next start. */
  readonly restart?: true;
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly unit: string;
}

/** The control that the form has for a setting. */
export type SettingControl =
  | ({ readonly kind: "number" } & Bounds)
  | { readonly kind: "choice"; readonly choices: readonly { readonly value: string; readonly label: string }[] }
  | { readonly kind: "switch" }
  | { readonly kind: "font" }
  /** A theme of terminals: one that comes with Patchbay, or that the user has imported. */
  | { readonly kind: "theme"; readonly appearance: Appearance }
  /** A number, or the word for none. */
  | ({ readonly kind: "optional"; readonly none: string } & Bounds)
  /** Two times of day, or `off`. */
  | { readonly kind: "hours" };

/** What forms, commands and documentation say about a setting. */
interface SettingDescription extends Named {
  readonly control: SettingControl;
  readonly help: string;
  readonly place: SettingPlace;
  /** The default, as text. */
  readonly fallback: string;
  /** Reports whether a text is a value of the setting. */
  isValid(text: string): boolean;
}

type Declared = Omit<SettingDescription, "place">;
const descriptions = z.registry<Declared>();

/**
 * The settings of terminals. A schema parses the text of a value; for an invalid one it answers the default. Forms, storage,
 * `service settings`, the operations and docs/reference/settings.md derive from this list and the two below.
 */
const terminals = {
  darkTheme: theme({ ...settingWords.darkTheme, section: "appearance", appearance: "dark" }),
  lightTheme: theme({ ...settingWords.lightTheme, section: "appearance", appearance: "light" }),
  contrast: number({
    ...settingWords.contrast,
    section: "appearance",
    bounds: { min: 1, max: 21, step: 0.5, unit: "" },
    fallback: 4.5,
  }),
  font: font({ ...settingWords.font, section: "terminal", group: "text" }),
  fontSize: number({
    ...settingWords.fontSize,
    section: "terminal",
    group: "text",
    bounds: { min: 8, max: 32, step: 1, unit: "px" },
    fallback: 13,
  }),
  lineHeight: number({
    ...settingWords.lineHeight,
    section: "terminal",
    group: "text",
    bounds: { min: 1, max: 2, step: 0.05, unit: "" },
    fallback: 1.2,
  }),
  ligatures: flag({ ...settingWords.ligatures, section: "terminal", group: "text", fallback: false }),
  images: flag({ ...settingWords.images, section: "terminal", group: "text", fallback: true }),
  cursorStyle: choice({ ...settingWords.cursorStyle, section: "terminal", group: "cursor", fallback: "block" }),
  cursorBlink: flag({ ...settingWords.cursorBlink, section: "terminal", group: "cursor", fallback: false }),
  bell: choice({ ...settingWords.bell, section: "terminal", group: "behaviour", fallback: "visual" }),
  copyOnSelect: flag({ ...settingWords.copyOnSelect, section: "terminal", group: "behaviour", fallback: false }),
  scrollSpeed: number({
    ...settingWords.scrollSpeed,
    section: "terminal",
    group: "behaviour",
    bounds: { min: 0.25, max: 10, step: 0.25, unit: "" },
    fallback: 1,
  }),
  scrollback: choice({
    ...settingWords.scrollback,
    section: "terminal",
    group: "behaviour",
    choices: {
      "1000": "1,000",
      "5000": "5,000",
      "10000": "10,000",
      "50000": "50,000",
      "100000": "100,000",
    },
    fallback: "10000",
  }),
  finishedAfter: number({
    ...settingWords.finishedAfter,
    section: "terminal",
    group: "behaviour",
    bounds: { min: 0, max: 86_400, step: 5, unit: "s" },
    fallback: 40,
  }),
  optionAsMeta: flag({
    ...settingWords.optionAsMeta,
    section: "terminal",
    group: "behaviour",
    only: "mac",
    fallback: false,
  }),
  screenReader: flag({ ...settingWords.screenReader, section: "terminal", group: "behaviour", fallback: false }),
  closeEnded: flag({ ...settingWords.closeEnded, section: "terminal", group: "behaviour", fallback: false }),
};

const LARGEST_PORT = 65_534;

/** The settings of the desktop app. */
const app = {
  startAtLogin: flag({ ...settingWords.startAtLogin, section: "general", fallback: false }),
  language: choice({ ...settingWords.language, section: "general", fallback: "system" }),
  reach: choice({ ...settingWords.reach, section: "general", restart: true, fallback: "here" }),
  port: optional({
    ...settingWords.port,
    section: "general",
    restart: true,
    none: "default",
    bounds: { min: 1, max: LARGEST_PORT, step: 1, unit: "" },
  }),
  theme: choice({ ...settingWords.theme, section: "appearance", fallback: "system" }),
  notifyWaiting: flag({ ...settingWords.notifyWaiting, section: "notifications", fallback: true }),
  notifyFinished: flag({ ...settingWords.notifyFinished, section: "notifications", fallback: true }),
  notifyFailed: flag({ ...settingWords.notifyFailed, section: "notifications", fallback: true }),
  notifyEnded: flag({ ...settingWords.notifyEnded, section: "notifications", fallback: false }),
  notifyBudget: flag({ ...settingWords.notifyBudget, section: "notifications", fallback: true }),
  notifyMessages: flag({ ...settingWords.notifyMessages, section: "notifications", fallback: true }),
  quietHours: hours({ ...settingWords.quietHours, section: "notifications" }),
};

const dollars = { min: 0.01, max: 1_000_000, step: 0.01, unit: "$" };

/** The settings of the relay. */
const relay = {
  budgetDay: optional({ ...settingWords.budgetDay, section: "agents", none: "none", bounds: dollars }),
  budgetSession: optional({ ...settingWords.budgetSession, section: "agents", none: "none", bounds: dollars }),
};

const TerminalSchema = z.object(terminals);
const AppSchema = z.object(app);
export type TerminalSettings = Readonly<z.output<typeof TerminalSchema>>;
export type TerminalSettingName = keyof TerminalSettings;
export type AppSettingName = keyof typeof app;
export type RelaySettingName = keyof typeof relay;
export type SettingName = TerminalSettingName | AppSettingName | RelaySettingName;

type Listed<Name extends SettingName> = SettingDescription & { readonly name: Name };
export type Setting = Listed<SettingName>;

/** The settings of terminals in the order of the form. */
export const terminalSettings: readonly Listed<TerminalSettingName>[] = TerminalSchema.keyof().options.map((name) => ({
  ...described(terminals[name]),
  name,
  place: "terminals",
}));

/** All settings, in the order of the sections. */
export const settingList: readonly Setting[] = [
  ...AppSchema.keyof().options.map((name): Setting => ({ ...described(app[name]), name, place: "app" })),
  ...terminalSettings,
  ...z
    .object(relay)
    .keyof()
    .options.map((name): Setting => ({ ...described(relay[name]), name, place: "relay" })),
].sort((one, other) => settingSections.indexOf(one.section) - settingSections.indexOf(other.section));

/** Every setting of terminals at its default. */
export const defaultTerminalSettings: TerminalSettings = TerminalSchema.parse({});

/** Parses the texts of the settings of terminals; for an invalid or missing one the default stands. */
export function parseTerminalSettings(texts: Readonly<Record<string, string>>): TerminalSettings {
  return TerminalSchema.parse(texts);
}

/** The name of a setting in commands and addresses: `font-size`. */
export function publicName(name: SettingName): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The settings by the names that callers give. */
export const settingsByPublicName: ReadonlyMap<string, Setting> = new Map(
  settingList.map((setting) => [publicName(setting.name), setting]),
);

/** Returns a setting's value as text. */
export function settingText(value: boolean | number | string): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  return String(value);
}

/** Returns the text of a value as callers read it. */
export function shownText({ control }: Pick<Setting, "control">, text: string): string {
  if (text !== "") return text;
  return control.kind === "font" ? OWN_FONT : OWN_THEME;
}

/** Says which values a setting takes. */
export function valuesOf({ control }: Pick<Setting, "control">): string {
  switch (control.kind) {
    case "switch":
      return "on, off";
    case "number":
      return rangeOf(control);
    case "choice":
      return control.choices.map(({ value }) => value).join(", ");
    case "font":
      return settingWords.values.font;
    case "theme":
      return settingWords.values.theme;
    case "optional":
      return `${control.none}, ${rangeOf(control)}`;
    case "hours":
      return settingWords.values.hours;
  }
}

/** Returns a number within a setting's bounds. */
export function clampSetting(name: TerminalSettingName, value: number): number {
  const { control } = described(terminals[name]);
  return control.kind === "number" ? Math.min(control.max, Math.max(control.min, value)) : value;
}

/** Parses what `off` and `22:00-07:00` say; undefined for another text. */
export function parseHours(text: string): { readonly from: string; readonly to: string } | null | undefined {
  if (text === "off") return null;
  const [, from, to] = /^((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d)$/.exec(text) ?? [];
  return from === undefined || to === undefined ? undefined : { from, to };
}

function rangeOf({ min, max, unit }: Bounds): string {
  return `${min} to ${max}${unit === "" ? "" : ` ${unit}`}`;
}

function described(schema: z.ZodType): Declared {
  const found = descriptions.get(schema);
  if (found === undefined) throw new Error("The setting is not declared.");
  return found;
}

function numeric({ min, max }: Bounds) {
  return z.string().trim().min(1).transform(Number).pipe(z.number().min(min).max(max));
}

function number({ bounds, fallback, ...named }: Named & { bounds: Bounds; fallback: number }) {
  const text = numeric(bounds);
  return text
    .catch(fallback)
    .register(descriptions, { ...named, ...checked(text, { kind: "number", ...bounds }, String(fallback), named) });
}

function flag({ fallback, ...named }: Named & { fallback: boolean }) {
  const text = z.enum(["on", "off"]).transform((value) => value === "on");
  return text
    .catch(fallback)
    .register(descriptions, { ...named, ...checked(text, { kind: "switch" }, settingText(fallback), named) });
}

function choice<const Value extends string>({
  choices,
  fallback,
  ...named
}: Named & { choices: Readonly<Record<Value, string>>; fallback: NoInfer<Value> }) {
  const list = Object.entries<string>(choices).map(([value, label]) => ({ value, label }));
  const text = z.custom<Value>((value) => list.some((one) => one.value === value));
  const control: SettingControl = { kind: "choice", choices: list };
  return text.catch(() => fallback).register(descriptions, { ...named, ...checked(text, control, fallback, named) });
}

/** Names of fonts: no characters that would end a name in CSS. */
function font(named: Named) {
  const text = z
    .string()
    .trim()
    .max(200)
    .regex(/^[^\\;{}<>()\p{Cc}]*$/u, { error: "expected names of fonts, without any of \\ ; { } < > ( )" });
  return text.catch("").register(descriptions, { ...named, ...checked(text, { kind: "font" }, "", named) });
}

/** The name of a theme; empty, or that of a removed one: Patchbay's own. */
function theme({ appearance, ...named }: Named & { appearance: Appearance }) {
  const text = z.string().max(MAX_THEME_NAME);
  return text
    .catch("")
    .register(descriptions, { ...named, ...checked(text, { kind: "theme", appearance }, "", named) });
}

function optional({ bounds, none, ...named }: Named & { bounds: Bounds; none: string }) {
  const wanted = bounds.step === 1 ? numeric(bounds).pipe(z.int()) : numeric(bounds);
  const text = z.union([z.literal(none).transform(() => null), wanted]);
  const control: SettingControl = { kind: "optional", none, ...bounds };
  return text.catch(null).register(descriptions, { ...named, ...checked(text, control, none, named) });
}

function hours(named: Named) {
  const text = z.string().refine((value) => parseHours(value) !== undefined);
  return text.catch("off").register(descriptions, { ...named, ...checked(text, { kind: "hours" }, "off", named) });
}

function checked(text: z.ZodType, control: SettingControl, fallback: string, { help = "" }: Named) {
  return { control, help, fallback, isValid: (value: string) => text.safeParse(value).success };
}
