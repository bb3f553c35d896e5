import type { MenuItemConstructorOptions } from "electron";
import { words } from "../words.ts";

/**
 * The menu of the application; null for none. macOS needs one for its shortcuts of copying, windows, settings and quitting;
 * Electron's default would also offer to reload the page and to open the developer tools. Elsewhere a menu's shortcuts
 * (Ctrl+W, Ctrl+R) would be taken from the terminals.
 */
export function applicationMenu(
  platform: NodeJS.Platform,
  showSettings: () => void,
): MenuItemConstructorOptions[] | null {
  if (platform !== "darwin") return null;
  const separator = { type: "separator" } as const;
  const submenu: MenuItemConstructorOptions[] = [
    { role: "about" },
    separator,
    { label: words.tray.settings, accelerator: "Command+,", click: showSettings },
    separator,
    { role: "services" },
    separator,
    { role: "hide" },
    { role: "hideOthers" },
    { role: "unhide" },
    separator,
    { role: "quit" },
  ];
  return [{ role: "appMenu", submenu }, { role: "editMenu" }, { role: "windowMenu" }];
}
