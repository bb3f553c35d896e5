import { type BrowserWindow, screen, type WebContents } from "electron";
import type { AppFacts } from "../../../preload/channels.ts";
import { sendToPage } from "../ipc/ipc.ts";
import type { WindowSession } from "../sessions/desktop-client.ts";
import { MachineSession } from "../sessions/machine-session.ts";
import type { Toast } from "../sessions/notices.ts";
import { words } from "../words.ts";
import { bringToFront, createPageWindow } from "./page-window.ts";
import { type Page, SessionBridge } from "./session-bridge.ts";
import type { WindowPlacementStore } from "./window-placement.ts";

interface OpenWindow {
  readonly window: BrowserWindow;
  readonly session: WindowSession;
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

/** Names a window and its placement: a session of another machine may have the id of one of this machine. */
export function windowKey(session: WindowSession): string {
  return session instanceof MachineSession ? machineWindowKey(session.machineId, session.id) : session.id;
}

export function machineWindowKey(machine: string, session: string): string {
  return `${machine}/${session}`;
}

/** The session windows: at most one per session. */
export class SessionWindows implements Disposable {
  readonly #options: Options;
  readonly #open = new Map<string, OpenWindow>();
  #facts: AppFacts | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Opens the session's window, or brings it to the front. `closed` is called when a new one is closed. */
  open(session: WindowSession, closed: () => void = () => undefined): void {
    const known = this.#open.get(windowKey(session));
    if (known !== undefined) bringToFront(known.window);
    else this.#create(session, closed);
  }

  /** Closes the window of a removed session of this machine and forgets its placement. */
  forget(session: string): void {
    this.#open.get(session)?.window.destroy();
    this.#options.places.forget(session);
  }

  /** Shows a toast in a session's window, by its key; returns false when it is not visible. */
  toast(key: string, toast: Toast): boolean {
    const open = this.#open.get(key);
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
  sessionOf(contents: WebContents): WindowSession | undefined {
    return this.#of(contents)?.session;
  }

  /** The session of another machine that a page shows. */
  machineSessionOf(contents: WebContents): MachineSession | undefined {
    const session = this.sessionOf(contents);
    return session instanceof MachineSession ? session : undefined;
  }

  /** The session of this machine that a page shows: what belongs to this machine is for its window only. */
  localSessionOf(contents: WebContents): WindowSession | undefined {
    const session = this.sessionOf(contents);
    return session instanceof MachineSession ? undefined : session;
  }

  bridgeOf(contents: WebContents): SessionBridge | undefined {
    return this.#of(contents)?.bridge;
  }

  /** Called when a page has loaded or reloaded; keeps it up to date from now on. */
  startBridge(contents: WebContents): void {
    const open = this.#of(contents);
    if (open === undefined) return;
    open.bridge?.[Symbol.dispose]();
    const page: Page = { send: (name, message) => sendToPage(contents, name, message) };
    const { session } = open;
    open.bridge = new SessionBridge(session.client, page, session instanceof MachineSession ? session : undefined);
    if (this.#facts !== undefined) sendToPage(contents, "app.facts", this.#facts);
  }

  [Symbol.dispose](): void {
    for (const { window } of [...this.#open.values()]) window.close();
  }

  #of(contents: WebContents): OpenWindow | undefined {
    return [...this.#open.values()].find(({ window }) => !window.isDestroyed() && window.webContents === contents);
  }

  #create(session: WindowSession, closed: () => void): void {
    const { preload, icon, places, log } = this.#options;
    const screens = screen.getAllDisplays().map((display) => display.workArea);
    const key = windowKey(session);
    const place = places.find(key, screens);
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
        title: titleOf(session),
        icon,
      },
    });
    const open: OpenWindow = { window, session, bridge: undefined };
    this.#open.set(key, open);
    if (place?.maximized === true) window.prependOnceListener("ready-to-show", () => window.maximize());
    bringToFront(window);
    // A menu bar would take keys from terminals, so this shortcut is all that is kept of it.
    window.webContents.on("before-input-event", (event, { type, key, control, shift, meta }) => {
      if (type !== "keyDown" || key.toLowerCase() !== "q" || !control || !shift || meta) return;
      event.preventDefault();
      this.#options.quit();
    });
    window.on("page-title-updated", (event) => event.preventDefault());
    const leave = session.client.subscribe(() => window.setTitle(titleOf(session)));
    window.on("close", () => {
      if (!window.isMinimized()) places.remember(key, { ...window.getNormalBounds(), maximized: window.isMaximized() });
    });
    window.once("closed", () => {
      leave();
      open.bridge?.[Symbol.dispose]();
      this.#open.delete(key);
      closed();
    });
  }
}

/** A page cannot change it, so the title always names the machine. */
function titleOf(session: WindowSession): string {
  return session instanceof MachineSession
    ? words.windows.titleOn(session.name(), session.ref.machine)
    : words.windows.title(session.name());
}
