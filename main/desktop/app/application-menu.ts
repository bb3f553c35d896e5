import type { MenuItemConstructorOptions } from "electron";

/**
 * The menu of the application; null for none. macOS needs one for its shortcuts of copying, windows and quitting;
 * Electron's default would also offer to reload the page and to open the developer tools. Elsewhere a menu's shortcuts
 * (Ctrl+W, Ctrl+R) would be taken from the terminals.
 */
export function applicationMenu(platform: NodeJS.Platform): MenuItemConstructorOptions[] | null {
  return platform === "darwin" ? [{ role: "appMenu" }, { role: "editMenu" }, { role: "windowMenu" }] : null;
}
