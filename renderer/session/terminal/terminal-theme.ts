import type { ITheme } from "@xterm/xterm";
import { createContext, useContext } from "react";

const ansi = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

/** Returns the terminal's colours from the page's current design tokens. */
export function terminalTheme(root: HTMLElement): ITheme {
  const probe = root.ownerDocument.createElement("span");
  probe.hidden = true;
  root.append(probe);
  const colour = (token: string): string => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  };
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
  };
  for (const name of ansi) {
    theme[name] = colour(`ansi-${name}`);
    theme[`bright${name[0]?.toUpperCase()}${name.slice(1)}`] = colour(`ansi-bright-${name}`);
  }
  probe.remove();
  return theme;
}

/** Calls back when the page switches between dark and light. Returns an unsubscribe function. */
export function onThemeChange(document: Document, changed: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", changed);
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return () => {
    system.removeEventListener("change", changed);
    observer.disconnect();
  };
}

export const TerminalThemeContext = createContext<ITheme>({});

/** Returns the colours of all terminals, which are computed once per theme change. */
export function useTerminalTheme(): ITheme {
  return useContext(TerminalThemeContext);
}
