import { nativeTheme } from "electron";

/** `--bg` and `--text` of renderer/ui/tokens.css, for what is drawn before and beside a page. */
const colours = {
  dark: { background: "#0f1113", symbols: "#e6e8ea" },
  light: { background: "#f4f3f0", symbols: "#1d2023" },
} as const;

/** Returns the colours of pages in the current theme. */
export function themeColours(): (typeof colours)["dark" | "light"] {
  return nativeTheme.shouldUseDarkColors ? colours.dark : colours.light;
}
