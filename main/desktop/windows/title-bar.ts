import { type BrowserWindow, type BrowserWindowConstructorOptions, nativeTheme } from "electron";
import { themeColours } from "./theme-colours.ts";

/** The header of the session view without the line below it, in pixels. */
const HEIGHT = 39;

/**
 * Options of a window whose page's header is its title bar: where the system draws its own buttons over a page. Elsewhere the
 * window has the plain bar of its desktop, whose buttons, side and look are the user's.
 */
export function mergedTitleBar(platform: NodeJS.Platform): BrowserWindowConstructorOptions {
  if (platform === "darwin") {
    return { titleBarStyle: "hidden", titleBarOverlay: true, trafficLightPosition: { x: 14, y: 12 } };
  }
  return platform === "win32" ? { titleBarStyle: "hidden", titleBarOverlay: overlay() } : {};
}

/** Keeps the buttons of Windows in the colours of the theme. */
export function followTheme(window: BrowserWindow, platform: NodeJS.Platform): void {
  // Of a window without the overlay it ends the app.
  if (platform !== "win32") return;
  const follow = () => window.setTitleBarOverlay(overlay());
  nativeTheme.on("updated", follow);
  window.once("closed", () => nativeTheme.off("updated", follow));
}

function overlay() {
  const { background, symbols } = themeColours();
  return { height: HEIGHT, color: background, symbolColor: symbols };
}
