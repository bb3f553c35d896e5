import type { DownloadItem, Session } from "electron";

/**
 * Admits a download that a press began, while no other one asks where to save it: pages in tiles could cover the screen with
 * such questions.
 */
export function guardDownloads(session: Session): void {
  let asking: DownloadItem | undefined;
  session.on("will-download", (event, item) => {
    const isAsked = asking?.getState() === "progressing" && asking.getSavePath() === "";
    if (isAsked || !item.hasUserGesture()) event.preventDefault();
    else asking = item;
  });
}
