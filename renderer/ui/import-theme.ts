import { z } from "zod";
import { errorText } from "../../core/protocol/error-text.ts";
import { MAX_THEME_NAME } from "../../core/protocol/settings.ts";
import { MAX_THEMES, type TerminalPalette } from "./terminal-themes.ts";
import { words } from "./words.ts";

/** Maximum size of a file with themes, in characters. */
export const MAX_FILE_LENGTH = 256 * 1024;

/**
 * Parses a file of iTerm2 (`.itermcolors`), Windows Terminal (JSON: a scheme, or settings with `schemes`) or Ghostty
 * (text) into its themes; at least one.
 * @param file its name, after which a theme is called that has no name of its own
 * @throws Error with a message for the user
 */
export function parseThemeFile(file: string, text: string): readonly TerminalPalette[] {
  if (text.length > MAX_FILE_LENGTH) throw new Error(words.themes.tooLarge);
  const name = cleanName(file.replace(/\.[A-Za-z]{1,16}$/, "")) ?? words.themes.imported;
  const content = text.replace(/^\uFEFF/, "").trim();
  if (content.startsWith("<")) return [parseIterm(content, name)];
  if (content.startsWith("{")) return parseWindowsTerminal(content);
  return [parseGhostty(content, name)];
}

/** Colours by the names that all formats share: `background`, `foreground`, …, and `0` to `15`. */
type ColourTexts = Map<string, string>;

function paletteOf(name: string, found: ColourTexts): TerminalPalette {
  const needed = (key: string): string => {
    const colour = found.get(key);
    if (colour === undefined)
      throw new Error(/^\d/.test(key) ? words.themes.lacksColour(key) : words.themes.lacks(key));
    return colour;
  };
  const [background, foreground] = [needed("background"), needed("foreground")];
  return {
    name,
    background,
    foreground,
    cursor: found.get("cursor") ?? foreground,
    cursorText: found.get("cursorText") ?? background,
    selection: found.get("selection") ?? mix(background, foreground),
    ansi: Array.from({ length: 16 }, (_, index) => needed(String(index))),
  };
}

/** A selection for a theme that has none: a third of the way from the background to the text. */
function mix(background: string, foreground: string): string {
  const channel = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16);
  return hex([1, 3, 5].map((at) => (2 * channel(background, at) + channel(foreground, at)) / (3 * 255)));
}

/** @param channels red, green and blue, from 0 to 1 */
function hex(channels: readonly number[]): string {
  const byte = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 255);
  return `#${channels.map((value) => byte(value).toString(16).padStart(2, "0")).join("")}`;
}

/** Returns `#rrggbb` for `#rgb`, `#rrggbb`, and both without `#`. */
function hexColour(text: string): string {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1]?.toLowerCase();
  if (digits === undefined) throw new Error(words.themes.noColour(text.slice(0, 40)));
  return `#${digits.length === 3 ? digits.replace(/./g, "$&$&") : digits}`;
}

function cleanName(text: string): string | undefined {
  const name = text
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_THEME_NAME)
    .trim();
  return name === "" ? undefined : name;
}

const itermNames = new Map([
  ["Background Color", "background"],
  ["Foreground Color", "foreground"],
  ["Cursor Color", "cursor"],
  ["Cursor Text Color", "cursorText"],
  ["Selection Color", "selection"],
]);

/** What may stand between the values of a property list, and its elements. A DOCTYPE may not declare entities. */
const PLIST_TOKEN =
  /\s+|<!--[\s\S]*?-->|<\?xml[^<>]*\?>|<!DOCTYPE[^<>[\]]*>|<(\/?)(plist|dict)(?:\s[^<>]*)?>|<(key|real|integer|string)>([^<>]*)<\/\3>/y;

type Plist = Map<string, string | Plist>;

function parseIterm(text: string, name: string): TerminalPalette {
  const found: ColourTexts = new Map();
  for (const [key, value] of parsePlist(text)) {
    const colour = itermNames.get(key) ?? /^Ansi (\d|1[0-5]) Color$/.exec(key)?.[1];
    if (colour !== undefined) found.set(colour, itermColour(key, value));
  }
  return paletteOf(name, found);
}

function itermColour(key: string, value: string | Plist): string {
  const channels = ["Red", "Green", "Blue"].map((channel) => {
    const text = typeof value === "string" ? undefined : value.get(`${channel} Component`);
    const number = typeof text === "string" && text.trim() !== "" ? Number(text) : Number.NaN;
    if (!(number >= -1 && number <= 2)) throw new Error(words.themes.noChannel(key, channel.toLowerCase()));
    return number;
  });
  const isP3 = typeof value !== "string" && value.get("Color Space") === "P3";
  return hex(isP3 ? srgbOfP3(channels) : channels);
}

/** Parses the subset of property lists in which iTerm2 writes colours: dictionaries of texts and numbers. */
function parsePlist(text: string): Plist {
  const open: { readonly dict: Plist; key: string | undefined }[] = [];
  let root: Plist | undefined;
  const put = (value: string | Plist) => {
    const parent = open.at(-1);
    if (parent?.key === undefined) throw new Error(words.themes.noPropertyList);
    parent.dict.set(parent.key, value);
    parent.key = undefined;
  };
  for (const { 1: closing, 2: element, 3: kind, 4: content = "" } of tokensOf(text)) {
    const parent = open.at(-1);
    if (kind === "key" && parent !== undefined) parent.key = plainText(content);
    else if (kind !== undefined) put(plainText(content));
    else if (element === "dict" && closing === "/") open.pop();
    else if (element === "dict") {
      const dict: Plist = new Map();
      if (parent !== undefined) put(dict);
      root ??= dict;
      open.push({ dict, key: undefined });
    }
  }
  if (root === undefined || open.length > 0) throw new Error(words.themes.noPropertyList);
  return root;
}

function tokensOf(text: string): readonly RegExpExecArray[] {
  const tokens: RegExpExecArray[] = [];
  PLIST_TOKEN.lastIndex = 0;
  while (PLIST_TOKEN.lastIndex < text.length) {
    const at = PLIST_TOKEN.lastIndex;
    const token = PLIST_TOKEN.exec(text);
    if (token === null) throw new Error(words.themes.noPropertyListAt(text.slice(at, at + 30)));
    tokens.push(token);
  }
  return tokens;
}

function plainText(content: string): string {
  const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return content.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => entities[entity] ?? "");
}

/** Converts Display P3 to sRGB (CSS Color 4, 10.2): both have the same curve. */
function srgbOfP3(channels: readonly number[]): readonly number[] {
  const linear = channels.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  const matrix = [
    [1.2249402, -0.2249402, 0],
    [-0.0420569, 1.0420569, 0],
    [-0.0196376, -0.0786361, 1.0982735],
  ];
  return matrix.map((row) => {
    const value = row.reduce((sum, factor, index) => sum + factor * (linear[index] ?? 0), 0);
    return value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
  });
}

const windowsNames = ["black", "red", "green", "yellow", "blue", "purple", "cyan", "white"].flatMap((name, index) => [
  [name, index] as const,
  [`bright${name[0]?.toUpperCase()}${name.slice(1)}`, index + 8] as const,
]);

const WindowsScheme = z.record(z.string().max(100), z.unknown());
const WindowsSettings = z.object({ schemes: z.array(WindowsScheme).min(1).max(MAX_THEMES) });

function parseWindowsTerminal(text: string): readonly TerminalPalette[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new Error(words.themes.noJson(errorText(error)));
  }
  const schemes = WindowsSettings.safeParse(parsed).data?.schemes ?? WindowsScheme.array().safeParse([parsed]).data;
  if (schemes === undefined) throw new Error(words.themes.noScheme);
  return schemes.map(windowsPalette);
}

function windowsPalette(scheme: z.output<typeof WindowsScheme>): TerminalPalette {
  const found: ColourTexts = new Map();
  const take = (key: string, name: string | number) => {
    const value = scheme[key];
    if (typeof value === "string") found.set(String(name), hexColour(value));
    else if (value !== undefined) throw new Error(words.themes.noColour(key));
  };
  for (const [key, index] of windowsNames) take(key, index);
  take("background", "background");
  take("foreground", "foreground");
  take("cursorColor", "cursor");
  take("selectionBackground", "selection");
  return paletteOf(
    (typeof scheme.name === "string" ? cleanName(scheme.name) : undefined) ?? words.themes.imported,
    found,
  );
}

const ghosttyNames = new Map([
  ["background", "background"],
  ["foreground", "foreground"],
  ["cursor-color", "cursor"],
  ["cursor-text", "cursorText"],
  ["selection-background", "selection"],
]);

/** Keys that have nothing to do with colours are left alone: a theme of Ghostty's may set anything. */
function parseGhostty(text: string, name: string): TerminalPalette {
  const found: ColourTexts = new Map();
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(#|$)/.test(line)) continue;
    const { key = "", value = "" } = /^(?<key>[a-z0-9-]+)\s*=(?<value>.*)$/.exec(line.trim())?.groups ?? {};
    if (key === "") throw new Error(words.themes.unknown(line.slice(0, 40)));
    if (key === "palette") takePaletteColour(found, value.trim());
    else {
      const colour = ghosttyNames.get(key);
      if (colour !== undefined) found.set(colour, hexColour(value.trim().replace(/^"(.*)"$/, "$1")));
    }
  }
  return paletteOf(name, found);
}

/** `N=#rrggbb`; a theme may set all of 256 colours, of which the first 16 count. */
function takePaletteColour(found: ColourTexts, value: string): void {
  const { index, colour = "" } = /^(?<index>\d{1,3})\s*=(?<colour>.*)$/.exec(value)?.groups ?? {};
  if (index === undefined || Number(index) > 255) throw new Error(words.themes.noPaletteEntry(value.slice(0, 40)));
  found.set(String(Number(index)), hexColour(colour.trim()));
}
