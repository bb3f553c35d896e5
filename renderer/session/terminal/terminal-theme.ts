import type { ITheme } from "@xterm/xterm";
import { createContext, useContext, useMemo } from "react";

const ansi = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

/** Preferences of the system that change the colours of terminals. */
const preferences = ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(forced-colors: active)"] as const;

/** Returns the terminal's colours from the page's current design tokens; with forced colours, from the system's. */
export function terminalTheme(root: HTMLElement): ITheme {
  const probe = root.ownerDocument.createElement("span");
  probe.hidden = true;
  // Otherwise forced colours would replace each colour that is asked for by that of text.
  probe.style.setProperty("forced-color-adjust", "none");
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
  if (matchMedia("(forced-colors: active)").matches) Object.assign(theme, forcedColours(computed));
  probe.remove();
  return theme;
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

/** Returns the least contrast of text in terminals: WCAG's AA, or its AAA if the system asks for more contrast. */
export function minimumContrast(): number {
  return preferences.slice(1).some((query) => matchMedia(query).matches) ? 7 : 4.5;
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
