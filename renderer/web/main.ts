import "../ui/no-eval.ts";
import { windowIdOf } from "../session/view/own-window.ts";
import { allowTerminalStyles } from "../ui/allow-terminal-styles.ts";
import { speakOwnLanguage } from "../ui/own-language.ts";
import { Door } from "./door.tsx";
import { enterSession, takePlace } from "./enter.ts";
import { registerOfflineWorker } from "./install.ts";
import { attachWindow, RESUME } from "./own-windows.ts";
import { createWebHost } from "./web-host.ts";
import { words } from "./words.ts";

allowTerminalStyles(document);

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root element.");

await speakOwnLanguage(window);
const id = windowIdOf(location);
if (id === undefined) await showPage(root);
else await showWindow(root, id);

async function showPage(element: HTMLElement): Promise<void> {
  // Another invite link opened in this tab changes only what is after the `#`, for which browsers do not load a page anew.
  window.addEventListener("hashchange", () => location.reload());
  // Evaluated while the page joins the session: it answers nothing while a script is evaluated.
  const view = import("../session/mount.tsx");
  const door = new Door(element);
  const place = takePlace(window);
  const credential = await enterSession(window, door.ask, door.askKey);
  let isJoined = false;
  const { host, joined } = createWebHost({
    credential,
    place,
    onRefused: (reason) => door.refuse(reason),
    onAway(why) {
      if (!isJoined) door.wait(why ?? words.access.noRelay);
    },
  });
  await joined;
  isJoined = true;
  const { mountSessionView } = await view;
  door.close();
  mountSessionView(element, host);
  registerOfflineWorker(window);
}

/** Shows one workspace of the page that has opened this window. */
async function showWindow(element: HTMLElement, own: number): Promise<void> {
  // That page's client is this window's.
  sessionStorage.removeItem(RESUME);
  const view = import("../session/mount.tsx");
  const door = new Door(element);
  const host = await attachWindow(window, own, () => door.wait(words.access.noPage));
  if (host === undefined) {
    window.close();
    // Where a browser does not close it, such as a window of the time before its restart.
    location.replace(location.pathname);
    return;
  }
  const { mountSessionView } = await view;
  door.close();
  mountSessionView(element, host);
}
