import type { BrowserWindow } from "electron";
import type { OpenSession, WindowPlacementStore } from "./window-placement.ts";

/** A window that is moved or resized reports each step; its place is kept after the last one. */
const STILL_MS = 500;

interface Options {
  readonly places: WindowPlacementStore;
  readonly name: string;
  /** What it shows again at the next start; undefined: it does not come back by itself. */
  readonly session: OpenSession | undefined;
}

/** Keeps a window's place, and that it is open, from now on: it comes back after a crash too. */
export function keepPlace(window: BrowserWindow, { places, name, session }: Options): void {
  const keep = () => {
    // A minimized window has no place, and the last one stays.
    if (!window.isMinimized())
      places.remember(name, { ...window.getNormalBounds(), maximized: window.isMaximized() }, session);
  };
  let timer: NodeJS.Timeout | undefined;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(keep, STILL_MS);
  };
  window.on("move", soon);
  window.on("resize", soon);
  window.on("maximize", soon);
  window.on("unmaximize", soon);
  window.on("focus", soon);
  window.on("close", keep);
  window.once("closed", () => clearTimeout(timer));
  keep();
}
