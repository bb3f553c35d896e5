import { app, type BrowserWindow, screen, type WebContents } from "electron";
import { firstCharacters } from "../../../core/protocol/first-characters.ts";
import type { HitPlace } from "../../../core/protocol/history-search.ts";
import { workspaceOfWindow } from "../../../core/state/client-state.ts";
import type { AppFacts, PanelContent } from "../../../preload/channels.ts";
import { sendToPage } from "../ipc/ipc.ts";
import type { WindowSession } from "../sessions/desktop-client.ts";
import { MachineSession } from "../sessions/machine-session.ts";
import type { Toast } from "../sessions/notices.ts";
import { keepPlace } from "./keep-place.ts";
import { bringToFront, createPageWindow } from "./page-window.ts";
import { type Page, SessionBridge } from "./session-bridge.ts";
import { followTheme, mergedTitleBar } from "./title-bar.ts";
import { besideOthers, type OpenSession, type WindowPlacementStore } from "./window-placement.ts";
import { titleOf } from "./window-title.ts";

interface OpenWindow {
  readonly window: BrowserWindow;
  readonly session: WindowSession;
  /** Id of the window of a workspace that has one of its own; undefined for the session's main window. */
  readonly own: number | undefined;
  /** From the moment that the page is ready until it is gone. */
  bridge: SessionBridge | undefined;
  /** The page shows the panel in its drawer. */
  hasDrawer: boolean;
  /** What the page goes to once it is ready. */
  place: HitPlace | undefined;
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

/** Names the window of a workspace that has one of its own. */
function ownWindowKey(session: WindowSession, own: number): string {
  return `${windowKey(session)}#${own}`;
}

/** The session windows: one main window per session, and one for each workspace that has one of its own. */
export class SessionWindows implements Disposable {
  readonly #options: Options;
  readonly #open = new Map<string, OpenWindow>();
  #facts: AppFacts | undefined;

  /** Windows that close from now on do so with the app: their workspaces have them again at the next start. */
  readonly #leave = () => {
    this.#isLeaving = true;
  };
  #isLeaving = false;

  constructor(options: Options) {
    this.#options = options;
    app.on("before-quit", this.#leave);
  }

  /** Opens the session's window, or brings it to the front. `closed` is called when a new one is closed. */
  open(session: WindowSession, closed: () => void = () => undefined): void {
    const known = this.#open.get(windowKey(session));
    if (known !== undefined) {
      bringToFront(known.window);
      return;
    }
    const window = this.#create(session, undefined);
    bringToFront(window);
    for (const own of ownWindowsOf(session)) this.#createOwn(session, own).once("ready-to-show", showBehind);
    let { active } = session.client.state.now;
    const leave = session.client.subscribe(() => {
      const before = active;
      active = session.client.state.now.active;
      this.#keepOwnWindows(session);
      if (active !== before) this.#followFocus(session);
    });
    window.once("closed", () => {
      leave();
      // They are there again with the main window.
      for (const open of this.#windowsOf(session)) open.window.close();
      closed();
    });
  }

  /** Goes to a place that a search has found, in the session's window, which is open. */
  goTo(session: WindowSession, place: HitPlace): void {
    const open = this.#open.get(windowKey(session));
    if (open?.bridge === undefined) {
      if (open !== undefined) open.place = place;
    } else sendToPage(open.window.webContents, "session.found", place);
  }

  /** Brings the main window that was used last to the front; returns false when none is open. */
  raise(): boolean {
    const open = this.#options.places
      .open()
      .flatMap(({ name }) => this.#open.get(name) ?? [])
      .at(-1);
    if (open !== undefined) bringToFront(open.window);
    return open !== undefined;
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

  /** Records whether a page shows the panel, as which it is kept up to date. */
  showDrawer(contents: WebContents, isShown: boolean): void {
    const open = this.#of(contents);
    if (open !== undefined) open.hasDrawer = isShown;
  }

  /** Brings the panel up to date in every window that shows it. */
  updateDrawers(content: () => PanelContent): void {
    const shown = [...this.#open.values()].filter(({ hasDrawer, window }) => hasDrawer && window.isVisible());
    if (shown.length === 0) return;
    const now = content();
    for (const { window } of shown) sendToPage(window.webContents, "panel.changed", now);
  }

  /** Whether one of the session's windows has the focus. */
  inFront(session: string): boolean {
    const main = this.#open.get(session);
    return main !== undefined && this.#windowsOf(main.session).some(({ window }) => window.isFocused());
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
    open.hasDrawer = false;
    const page: Page = { send: (name, message) => sendToPage(contents, name, message) };
    const { session } = open;
    open.bridge = new SessionBridge(session.client, page, session instanceof MachineSession ? session : undefined);
    if (this.#facts !== undefined) sendToPage(contents, "app.facts", this.#facts);
    if (open.place !== undefined) sendToPage(contents, "session.found", open.place);
    open.place = undefined;
  }

  [Symbol.dispose](): void {
    app.off("before-quit", this.#leave);
    this.#leave();
    for (const { window } of [...this.#open.values()]) window.close();
  }

  #of(contents: WebContents): OpenWindow | undefined {
    return [...this.#open.values()].find(({ window }) => !window.isDestroyed() && window.webContents === contents);
  }

  #windowsOf(session: WindowSession): readonly OpenWindow[] {
    return [...this.#open.values()].filter((open) => open.session === session);
  }

  /** Opens and closes windows as the session's workspaces have them. */
  #keepOwnWindows(session: WindowSession): void {
    const wanted = ownWindowsOf(session);
    for (const { own, window } of this.#windowsOf(session)) {
      if (own !== undefined && !wanted.includes(own)) window.close();
    }
    for (const own of wanted) {
      if (this.#open.has(ownWindowKey(session, own))) continue;
      // Another machine takes the keyboard from nothing but its own session.
      const isForeign = session instanceof MachineSession && !this.#hasFocus(session);
      const window = this.#createOwn(session, own);
      if (isForeign) window.once("ready-to-show", showBehind);
      else bringToFront(window);
    }
  }

  /** Brings the window of the active workspace to the front, if the user is in another one of the session. */
  #followFocus(session: WindowSession): void {
    const { workspaces, active } = session.client.state.now;
    const shown = workspaces[active]?.window?.id;
    const windows = this.#windowsOf(session);
    const wanted = windows.find(({ own }) => own === shown)?.window;
    if (wanted?.isFocused() === false && this.#hasFocus(session)) bringToFront(wanted);
  }

  #hasFocus(session: WindowSession): boolean {
    return this.#windowsOf(session).some(({ window }) => window.isFocused());
  }

  /** A window of its own that is closed, or whose page has crashed, gives its tiles back to the main one. */
  #createOwn(session: WindowSession, own: number): BrowserWindow {
    const window = this.#create(session, own);
    window.once("closed", () => {
      if (this.#isLeaving || !this.#open.has(windowKey(session))) return;
      this.#options.places.forget(ownWindowKey(session, own));
      const { client } = session;
      const [tile] = client.state.now.workspaces[workspaceOfWindow(client.state.now, own)]?.recent ?? [];
      if (tile !== undefined) void client.execute("moveBack", { tile });
    });
    return window;
  }

  #create(session: WindowSession, own: number | undefined): BrowserWindow {
    const { preload, icon, places, log } = this.#options;
    const screens = screen.getAllDisplays().map((display) => display.workArea);
    const key = own === undefined ? windowKey(session) : ownWindowKey(session, own);
    const place = places.find(key, screens);
    const others = [...this.#open.values()].map((other) => other.window.getBounds());
    const window = createPageWindow({
      page: own === undefined ? "window/index.html" : `window/index.html?window=${own}`,
      preload,
      log,
      window: {
        ...(own === undefined ? { width: 1280, height: 800 } : { width: 960, height: 640 }),
        ...place,
        minWidth: 360,
        minHeight: 240,
        title: titleOf(session, own),
        icon,
        ...mergedTitleBar(process.platform),
      },
    });
    followTheme(window, process.platform);
    if (place === undefined) {
      const bounds = window.getBounds();
      const { x, y } = besideOthers(bounds, others, screen.getDisplayMatching(bounds).workArea);
      window.setPosition(x, y);
    }
    const open: OpenWindow = { window, session, own, bridge: undefined, hasDrawer: false, place: undefined };
    this.#open.set(key, open);
    keepPlace(window, { places, name: key, session: openSession(session, own) });
    if (place?.maximized === true) window.prependOnceListener("ready-to-show", () => window.maximize());
    // A menu bar would take keys from terminals, so this shortcut is all that is kept of it.
    window.webContents.on("before-input-event", (event, { type, key, control, shift, meta }) => {
      if (type !== "keyDown" || key.toLowerCase() !== "q" || !control || !shift || meta) return;
      event.preventDefault();
      this.#options.quit();
    });
    window.on("page-title-updated", (event) => event.preventDefault());
    const leave = session.client.subscribe(() => window.setTitle(titleOf(session, own)));
    window.once("closed", () => {
      leave();
      // Also one whose page has crashed.
      if (!this.#isLeaving) places.close(key);
      open.bridge?.[Symbol.dispose]();
      this.#open.delete(key);
    });
    return window;
  }
}

/** What a window shows again at the next start. The workspaces of a session bring their own windows with them. */
function openSession(session: WindowSession, own: number | undefined): OpenSession | undefined {
  if (own !== undefined) return undefined;
  if (!(session instanceof MachineSession)) return true;
  return { ...session.ref, session: { id: session.id, name: firstCharacters(session.name(), 200) } };
}

function ownWindowsOf({ client }: WindowSession): readonly number[] {
  return client.state.now.workspaces.flatMap(({ window }) => window?.id ?? []);
}

function showBehind(this: BrowserWindow): void {
  this.showInactive();
}
