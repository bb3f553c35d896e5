import { BrowserWindow, screen } from "electron";
import { boundsOnScreen } from "./window-placement.ts";

/** Moves windows back onto a screen after theirs was removed or shrank. Returns a function that stops this. */
export function keepOnScreen(): () => void {
  const look = () => {
    const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
    for (const window of BrowserWindow.getAllWindows()) {
      // Desktops move those themselves and keep their normal bounds.
      if (window.isMaximized() || window.isFullScreen() || window.isMinimized()) continue;
      const bounds = window.getBounds();
      const place = boundsOnScreen(bounds, areas, screen.getDisplayMatching(bounds).workArea);
      if (place !== undefined) window.setBounds(place);
    }
  };
  screen.on("display-removed", look);
  screen.on("display-metrics-changed", look);
  return () => {
    screen.off("display-removed", look);
    screen.off("display-metrics-changed", look);
  };
}
