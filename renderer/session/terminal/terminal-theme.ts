import type { ITheme } from "@xterm/xterm";
import { createContext, useContext, useEffect, useMemo, useState } from "react";
import type { Appearance, TerminalSettings } from "../../../core/protocol/settings.ts";
import { type Store, useStore } from "../../ui/store.ts";
import type { SettingsStore } from "../../ui/terminal-settings.ts";
import { findTheme, type TerminalPalette } from "../../ui/terminal-themes.ts";

const ansi = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

/** Preferences of the system that change the colours of terminals. */
const preferences = ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(forced-colors: active)"] as const;

/**
 * Returns the terminal's colours: those of the user's theme, else of the design tokens; with forced colours, the system's.
 * @param appearance how bright the app is, or would be
 */
function terminalTheme(
  root: HTMLElement,
  { appearance, palette }: { appearance: Appearance; palette: TerminalPalette | undefined },
): ITheme {
  const probe = root.ownerDocument.createElement("span");
  probe.hidden = true;
  // Otherwise forced colours would replace each colour that is asked for by that of text.
  probe.style.setProperty("forced-color-adjust", "none");
  probe.style.colorScheme = appearance;
  root.append(probe);
  const computed = (value: string): string => {
    probe.style.color = value;
    return getComputedStyle(probe).color;
  };
  const colour = (token: string): string => computed(`var(--${token})`);
  const theme: Record<string, string> = {
    background: colour("terminal"),
    foreground: colour("text"),
    cursor: colour("text"),
    cursorAccent: colour("terminal"),
    selectionBackground: colour("selection"),
    selectionInactiveBackground: colour("selection"),
    scrollbarSliderBackground: colour("line-strong"),
    scrollbarSliderHoverBackground: colour("faint"),
    scrollbarSliderActiveBackground: colour("muted"),
    overviewRulerBorder: "rgba(0, 0, 0, 0)",
  };
  for (const name of ansi) {
    theme[name] = colour(`ansi-${name}`);
    theme[`bright${name[0]?.toUpperCase()}${name.slice(1)}`] = colour(`ansi-bright-${name}`);
  }
  if (palette !== undefined) Object.assign(theme, paletteColours(palette));
  if (matchMedia("(forced-colors: active)").matches) Object.assign(theme, forcedColours(computed));
  probe.remove();
  return theme;
}

function paletteColours({
  background,
  foreground,
  cursor,
  cursorText,
  selection,
  ansi: colours,
}: TerminalPalette): ITheme {
  const theme: Record<string, string> = {
    background,
    foreground,
    cursor,
    cursorAccent: cursorText,
    selectionBackground: selection,
    selectionInactiveBackground: selection,
    // Parts of the foreground, which stand out from any background.
    scrollbarSliderBackground: `${foreground}40`,
    scrollbarSliderHoverBackground: `${foreground}80`,
    scrollbarSliderActiveBackground: `${foreground}a0`,
  };
  for (const [index, name] of ansi.entries()) {
    theme[name] = colours[index] ?? foreground;
    theme[`bright${name[0]?.toUpperCase()}${name.slice(1)}`] = colours[index + 8] ?? foreground;
  }
  return theme;
}

/** Returns how bright the app is: as its user wants, else as the system. */
export function appearanceOf(document: Document): Appearance {
  const { theme } = document.documentElement.dataset;
  if (theme === "dark" || theme === "light") return theme;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** The system's colours for what is not a program's own. xterm.js adapts the others to them, by contrast. */
function forcedColours(computed: (value: string) => string): ITheme {
  const [canvas, text] = [computed("Canvas"), computed("CanvasText")];
  return {
    background: canvas,
    foreground: text,
    cursor: text,
    cursorAccent: canvas,
    selectionBackground: computed("Highlight"),
    selectionInactiveBackground: computed("Highlight"),
    selectionForeground: computed("HighlightText"),
    scrollbarSliderBackground: text,
    scrollbarSliderHoverBackground: computed("Highlight"),
    scrollbarSliderActiveBackground: computed("Highlight"),
  };
}

/** Returns the least contrast of text in terminals: what the user wants, at least WCAG's AAA if the system asks for more. */
export function minimumContrast({ contrast }: Pick<TerminalSettings, "contrast">): number {
  return preferences.slice(1).some((query) => matchMedia(query).matches) ? Math.max(7, contrast) : contrast;
}

/** Calls back when the page's theme or the system's preferences change. Returns an unsubscribe function. */
export function onThemeChange(document: Document, changed: () => void): () => void {
  const media = preferences.map((query) => matchMedia(query));
  for (const query of media) query.addEventListener("change", changed);
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return () => {
    for (const query of media) query.removeEventListener("change", changed);
    observer.disconnect();
  };
}

interface ThemeSources {
  readonly settings: SettingsStore;
  readonly themes: Store<readonly TerminalPalette[]>;
}

/**
 * Returns the colours that terminals have by the user's settings, and follows all that changes them.
 * @param wanted how bright the app would be; undefined: as it is
 * @param tried name of a theme in place of the chosen one
 */
export function useThemeOf(
  root: HTMLElement,
  { settings, themes }: ThemeSources,
  wanted?: Appearance,
  tried?: string,
): ITheme {
  const { darkTheme, lightTheme } = useStore(settings);
  const imported = useStore(themes);
  const [changes, setChanges] = useState(0);
  useEffect(() => onThemeChange(root.ownerDocument, () => setChanges((count) => count + 1)), [root]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page's theme and the system's preferences are read anew
  return useMemo(() => {
    const appearance = wanted ?? appearanceOf(root.ownerDocument);
    const palette = findTheme(imported, tried ?? (appearance === "dark" ? darkTheme : lightTheme));
    return terminalTheme(root, { appearance, palette });
  }, [root, darkTheme, lightTheme, imported, wanted, tried, changes]);
}

export const TerminalThemeContext = createContext<ITheme>({});

/**
 * Returns the colours of all terminals, which are computed once per theme change. Without a connection the cursor is as
 * faint as the scroll bar: it takes no keys.
 */
export function useTerminalTheme(connected = true): ITheme {
  const theme = useContext(TerminalThemeContext);
  return useMemo(
    () => (connected ? theme : { ...theme, cursor: theme.scrollbarSliderBackground ?? theme.background ?? "" }),
    [theme, connected],
  );
}
