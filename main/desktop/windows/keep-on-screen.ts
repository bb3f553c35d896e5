import { BrowserWindow, screen } from "electron";
import { boundsOnScreen } from "./window-placement.ts";

/** Brings windows back whose screen went away or shrank under them. Answers how to stop. */
export function keepOnScreen(): () => void {
  const look = () => {
    const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
    for (const window of BrowserWindow.getAllWindows()) {
      // Desktops move those by themselves, and they keep their own place for later.
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
