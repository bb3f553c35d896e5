import type { ITheme } from "@xterm/xterm";
import { createContext, useContext } from "react";

export const TerminalThemeContext = createContext<ITheme>({});

/** The colours of all terminals: read once a change of theme, not once a terminal. */
export function useTerminalTheme(): ITheme {
  return useContext(TerminalThemeContext);
}
