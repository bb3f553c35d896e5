import { type BrowserWindow, screen, type WebContents } from "electron";
import type { AppFacts } from "../../../preload/channels.ts";
import { sendToPage } from "../ipc/ipc.ts";
import type { DesktopClient } from "../sessions/desktop-client.ts";
import type { Toast } from "../sessions/notices.ts";
import { words } from "../words.ts";
import { bringToFront, createPageWindow } from "./page-window.ts";
import { SessionBridge } from "./session-bridge.ts";
import type { WindowPlacementStore } from "./window-placement.ts";

interface OpenWindow {
  readonly window: BrowserWindow;
  readonly session: DesktopClient;
  /** From the moment that the page is ready until it is gone. */
  bridge: SessionBridge | undefined;
}

interface Options {
  readonly preload: string;
  readonly icon: string;
  readonly places: WindowPlacementStore;
  readonly quit: () => void;
  readonly log: (line: string) => void;
}

/** The session windows: at most one per session. */
export class SessionWindows implements Disposable {
  readonly #options: Options;
  readonly #open = new Map<string, OpenWindow>();
  #facts: AppFacts | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Opens the session's window, or brings it to the front. */
  open(session: DesktopClient): void {
    const known = this.#open.get(session.id);
    if (known !== undefined) bringToFront(known.window);
    else this.#create(session);
  }

  /** Closes the window of a removed session and forgets its placement. */
  forget(session: string): void {
    this.#open.get(session)?.window.destroy();
    this.#options.places.forget(session);
  }

  /** Shows a toast in the session's window; returns false when it is not visible. */
  toast(session: string, toast: Toast): boolean {
    const open = this.#open.get(session);
    if (open?.bridge === undefined || !open.window.isVisible() || open.window.isMinimized()) return false;
    sendToPage(open.window.webContents, "session.toast", toast);
    return true;
  }

  /** Tells every window what it shows of the app around it; only what has changed. */
  tellFacts(facts: AppFacts): void {
    if (JSON.stringify(facts) === JSON.stringify(this.#facts)) return;
    this.#facts = facts;
    for (const { window, bridge } of this.#open.values()) {
      if (bridge !== undefined) sendToPage(window.webContents, "app.facts", facts);
    }
  }

  /** Whether the session's window has the focus. */
  inFront(session: string): boolean {
    return this.#open.get(session)?.window.isFocused() ?? false;
  }

  /** The session that a page shows. */
  sessionOf(contents: WebContents): DesktopClient | undefined {
    return this.#of(contents)?.session;
  }

  bridgeOf(contents: WebContents): SessionBridge | undefined {
    return this.#of(contents)?.bridge;
  }

  /** Called when a page has loaded or reloaded; keeps it up to date from now on. */
  startBridge(contents: WebContents): void {
    const open = this.#of(contents);
    if (open === undefined) return;
    open.bridge?.[Symbol.dispose]();
    open.bridge = new SessionBridge(open.session.client, {
      send: (name, message) => sendToPage(contents, name, message),
    });
    if (this.#facts !== undefined) sendToPage(contents, "app.facts", this.#facts);
  }

  [Symbol.dispose](): void {
    for (const { window } of [...this.#open.values()]) window.close();
  }

  #of(contents: WebContents): OpenWindow | undefined {
    return [...this.#open.values()].find(({ window }) => !window.isDestroyed() && window.webContents === contents);
  }

  #create(session: DesktopClient): void {
    const { preload, icon, places, log } = this.#options;
    const screens = screen.getAllDisplays().map((display) => display.workArea);
    const place = places.find(session.id, screens);
    const window = createPageWindow({
      page: "window/index.html",
      preload,
      log,
      window: {
        width: 1280,
        height: 800,
        ...place,
        minWidth: 360,
        minHeight: 240,
        title: words.windows.title(session.name()),
        icon,
      },
    });
    const open: OpenWindow = { window, session, bridge: undefined };
    this.#open.set(session.id, open);
    if (place?.maximized === true) window.prependOnceListener("ready-to-show", () => window.maximize());
    bringToFront(window);
    // A menu bar would take keys from terminals, so this shortcut is all that is kept of it.
    window.webContents.on("before-input-event", (event, { type, key, control, shift, meta }) => {
      if (type !== "keyDown" || key.toLowerCase() !== "q" || !control || !shift || meta) return;
      event.preventDefault();
      this.#options.quit();
    });
    window.on("page-title-updated", (event) => event.preventDefault());
    const leave = session.client.subscribe(() => window.setTitle(words.windows.title(session.name())));
    window.on("close", () => {
      if (!window.isMinimized())
        places.remember(session.id, { ...window.getNormalBounds(), maximized: window.isMaximized() });
    });
    window.once("closed", () => {
      leave();
      open.bridge?.[Symbol.dispose]();
      this.#open.delete(session.id);
    });
  }
}
