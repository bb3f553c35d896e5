import { app, session, type WebContents } from "electron";
import { isAppUrl } from "../ipc/app-url.ts";

/** What the app's own pages may use without asking: copy and paste in terminals. Everything else is denied. */
const allowed: ReadonlySet<string> = new Set(["clipboard-read", "clipboard-sanitized-write"]);

/**
 * Holds every page, present and future, where it is: none navigates, opens windows, embeds a webview or gets a
 * permission beyond the clipboard. Frames inside our pages may go to web addresses only.
 */
export function guardAllContents(): void {
  app.on("web-contents-created", (_event, contents) => guard(contents));
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(allowed.has(permission) && details.isMainFrame && isAppUrl(details.requestingUrl)),
  );
  session.defaultSession.setPermissionCheckHandler(
    (_contents, permission, origin, details) =>
      allowed.has(permission) && details.isMainFrame && isAppUrl(`${origin}/`.replace(/\/+$/, "/")),
  );
}

function guard(contents: WebContents): void {
  contents.on("will-navigate", (event) => event.preventDefault());
  contents.on("will-frame-navigate", (event) => {
    if (event.isMainFrame || !/^https?:/.test(event.url)) event.preventDefault();
  });
  contents.on("will-attach-webview", (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: "deny" }));
}
