import { app, type DownloadItem, type Event, type Session, session, type WebContents } from "electron";
import { withoutTrailing } from "../../../core/protocol/without-trailing.ts";
import { isAppUrl } from "../ipc/app-url.ts";

/** Permissions that the app's own pages have without asking: copy and paste in terminals. All others are denied. */
const allowed: ReadonlySet<string> = new Set(["clipboard-read", "clipboard-sanitized-write"]);

/**
 * Restricts every page, present and future: none may navigate, open windows, embed a webview or get a permission beyond
 * the clipboard. Frames inside our pages may load web addresses only, also by a server's redirection, and download what
 * is pressed.
 */
export function guardAllContents(): void {
  app.on("web-contents-created", (_event, contents) => guard(contents));
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(allowed.has(permission) && details.isMainFrame && isAppUrl(details.requestingUrl)),
  );
  session.defaultSession.setPermissionCheckHandler(
    (_contents, permission, origin, details) =>
      allowed.has(permission) && details.isMainFrame && isAppUrl(`${withoutTrailing(origin, "/")}/`),
  );
  guardDownloads(session.defaultSession);
}

function guard(contents: WebContents): void {
  contents.on("will-navigate", (event) => event.preventDefault());
  const guardFrame = (event: Event<{ readonly isMainFrame: boolean; readonly url: string }>) => {
    if (event.isMainFrame || !/^https?:/.test(event.url)) event.preventDefault();
  };
  contents.on("will-frame-navigate", guardFrame);
  contents.on("will-redirect", guardFrame);
  contents.on("will-attach-webview", (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: "deny" }));
}

/**
 * Admits a download that a press began, while no other one asks where to save it: pages in tiles could cover the screen with
 * such questions.
 */
export function guardDownloads(pages: Session): void {
  let asking: DownloadItem | undefined;
  pages.on("will-download", (event, item) => {
    const isAsked = asking?.getState() === "progressing" && asking.getSavePath() === "";
    if (isAsked || !item.hasUserGesture()) event.preventDefault();
    else asking = item;
  });
}
