import { z } from "zod";
import { MAX_THEME_NAME, OWN_THEME } from "../../core/protocol/settings.ts";
import { persistedValue } from "./persisted.ts";
import type { Store } from "./store.ts";
import { words } from "./words.ts";

const Colour = z.string().regex(/^#[0-9a-f]{6}$/);

/** Maximum number of imported themes. */
export const MAX_THEMES = 50;

/** The colours of a terminal, each as `#rrggbb`. */
export const TerminalPalette = z.object({
  name: z.string().min(1).max(MAX_THEME_NAME),
  background: Colour,
  foreground: Colour,
  cursor: Colour,
  /** The character under the cursor. */
  cursorText: Colour,
  selection: Colour,
  /** The colours 0 to 15. */
  ansi: z.array(Colour).length(16),
});
export type TerminalPalette = Readonly<z.output<typeof TerminalPalette>>;

/** Well-known themes, as their authors publish them. */
export const builtInThemes: readonly TerminalPalette[] = [
  theme("Catppuccin Latte", "eff1f5 4c4f69 dc8a78 acb0be", [
    "5c5f77 d20f39 40a02b df8e1d 1e66f5 ea76cb 179299 acb0be",
    "6c6f85 d20f39 40a02b df8e1d 1e66f5 ea76cb 179299 bcc0cc",
  ]),
  theme("Catppuccin Mocha", "1e1e2e cdd6f4 f5e0dc 585b70", [
    "45475a f38ba8 a6e3a1 f9e2af 89b4fa f5c2e7 94e2d5 bac2de",
    "585b70 f38ba8 a6e3a1 f9e2af 89b4fa f5c2e7 94e2d5 a6adc8",
  ]),
  theme("Dracula", "282a36 f8f8f2 f8f8f2 44475a", [
    "21222c ff5555 50fa7b f1fa8c bd93f9 ff79c6 8be9fd f8f8f2",
    "6272a4 ff6e6e 69ff94 ffffa5 d6acff ff92df a4ffff ffffff",
  ]),
  theme("GitHub Dark", "0d1117 e6edf3 2f81f7 264f78", [
    "484f58 ff7b72 3fb950 d29922 58a6ff bc8cff 39c5cf b1bac4",
    "6e7681 ffa198 56d364 e3b341 79c0ff d2a8ff 56d4dd ffffff",
  ]),
  theme("GitHub Light", "ffffff 1f2328 0969da b6e3ff", [
    "24292f cf222e 116329 4d2d00 0969da 8250df 1b7c83 6e7781",
    "57606a a40e26 1a7f37 633c01 218bff a475f9 3192aa 8c959f",
  ]),
  theme("Gruvbox Dark", "282828 ebdbb2 ebdbb2 504945", [
    "282828 cc241d 98971a d79921 458588 b16286 689d6a a89984",
    "928374 fb4934 b8bb26 fabd2f 83a598 d3869b 8ec07c ebdbb2",
  ]),
  theme("Gruvbox Light", "fbf1c7 3c3836 3c3836 d5c4a1", [
    "fbf1c7 cc241d 98971a d79921 458588 b16286 689d6a 7c6f64",
    "928374 9d0006 79740e b57614 076678 8f3f71 427b58 3c3836",
  ]),
  theme("Monokai", "272822 f8f8f2 f8f8f0 49483e", [
    "272822 f92672 a6e22e f4bf75 66d9ef ae81ff a1efe4 f8f8f2",
    "75715e f92672 a6e22e f4bf75 66d9ef ae81ff a1efe4 f9f8f5",
  ]),
  theme("Nord", "2e3440 d8dee9 d8dee9 434c5e", [
    "3b4252 bf616a a3be8c ebcb8b 81a1c1 b48ead 88c0d0 e5e9f0",
    "4c566a bf616a a3be8c ebcb8b 81a1c1 b48ead 8fbcbb eceff4",
  ]),
  theme("One Dark", "282c34 abb2bf 528bff 3e4451", [
    "282c34 e06c75 98c379 e5c07b 61afef c678dd 56b6c2 abb2bf",
    "5c6370 e06c75 98c379 e5c07b 61afef c678dd 56b6c2 ffffff",
  ]),
  theme("One Light", "fafafa 383a42 526fff e5e5e6", [
    "383a42 e45649 50a14f c18401 4078f2 a626a4 0184bc a0a1a7",
    "696c77 e45649 50a14f c18401 4078f2 a626a4 0184bc fafafa",
  ]),
  theme("Rosé Pine", "191724 e0def4 e0def4 403d52", [
    "26233a eb6f92 31748f f6c177 9ccfd8 c4a7e7 ebbcba e0def4",
    "6e6a86 eb6f92 31748f f6c177 9ccfd8 c4a7e7 ebbcba e0def4",
  ]),
  theme("Rosé Pine Dawn", "faf4ed 575279 575279 dfdad9", [
    "f2e9e1 b4637a 286983 ea9d34 56949f 907aa9 d7827e 575279",
    "9893a5 b4637a 286983 ea9d34 56949f 907aa9 d7827e 575279",
  ]),
  theme("Solarized Dark", "002b36 839496 93a1a1 073642", [
    "073642 dc322f 859900 b58900 268bd2 d33682 2aa198 eee8d5",
    "002b36 cb4b16 586e75 657b83 839496 6c71c4 93a1a1 fdf6e3",
  ]),
  theme("Solarized Light", "fdf6e3 657b83 586e75 eee8d5", [
    "073642 dc322f 859900 b58900 268bd2 d33682 2aa198 eee8d5",
    "002b36 cb4b16 586e75 657b83 839496 6c71c4 93a1a1 fdf6e3",
  ]),
  theme("Tokyo Night", "1a1b26 c0caf5 c0caf5 283457", [
    "15161e f7768e 9ece6a e0af68 7aa2f7 bb9af7 7dcfff a9b1d6",
    "414868 f7768e 9ece6a e0af68 7aa2f7 bb9af7 7dcfff c0caf5",
  ]),
  theme("Tokyo Night Day", "e1e2e7 3760bf 3760bf b7c1e3", [
    "e9e9ed f52a65 587539 8c6c3e 2e7de9 9854f1 007197 6172b0",
    "a1a6c5 f52a65 587539 8c6c3e 2e7de9 9854f1 007197 3760bf",
  ]),
];

/** Returns a theme by its name; undefined if there is none, which stands for Patchbay's own colours. */
export function findTheme(imported: readonly TerminalPalette[], name: string): TerminalPalette | undefined {
  return [...imported, ...builtInThemes].find((one) => one.name === name);
}

/** Reports whether a theme has a dark background: weighted as the eye sees the channels. */
export function isDark({ background }: Pick<TerminalPalette, "background">): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(background.slice(at, at + 2), 16));
  return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
}

/** Returns the user's imported themes, as a persistent store. */
export function persistedThemes(window: Window): Store<readonly TerminalPalette[]> {
  return persistedValue<readonly TerminalPalette[]>(window, {
    key: "patchbay.terminal-themes",
    parse: parseThemes,
    format: JSON.stringify,
    fallback: [],
  });
}

/**
 * Returns the imported themes with new ones, which replace those of the same name. One that is called like a theme of
 * Patchbay's gets a name of its own.
 * @throws Error with a message for the user, if there would be too many
 */
export function addThemes(
  themes: readonly TerminalPalette[],
  added: readonly TerminalPalette[],
): readonly TerminalPalette[] {
  const renamed = added.map((one) => ({ ...one, name: ownName(one.name) }));
  const byName = new Map([...themes, ...renamed].map((one) => [one.name, one]));
  if (byName.size > MAX_THEMES) throw new Error(words.themes.tooMany(MAX_THEMES));
  return [...byName.values()].toSorted((a, b) => a.name.localeCompare(b.name));
}

function ownName(name: string): string {
  const taken = [OWN_THEME, ...builtInThemes.map((one) => one.name)];
  const isTaken = taken.some((one) => one.toLowerCase() === name.toLowerCase());
  const longest = MAX_THEME_NAME - words.themes.importedName("").length;
  return isTaken ? words.themes.importedName(name.slice(0, longest)) : name;
}

function parseThemes(text: string | undefined): readonly TerminalPalette[] | undefined {
  try {
    return z
      .array(TerminalPalette)
      .max(MAX_THEMES)
      .safeParse(JSON.parse(text ?? "")).data;
  } catch {
    return undefined;
  }
}

/** @param main background, foreground, cursor and selection @param ansi the eight plain and the eight bright colours */
function theme(name: string, main: string, ansi: readonly [string, string]): TerminalPalette {
  const colours = (text: string) => text.split(" ").map((colour) => `#${colour}`);
  const [background = "", foreground = "", cursor = "", selection = ""] = colours(main);
  return { name, background, foreground, cursor, cursorText: background, selection, ansi: ansi.flatMap(colours) };
}
