import path from "node:path";
import { app, clipboard } from "electron";
import { Undo } from "../../core/undo.ts";
import { serveAppScheme } from "./app-scheme.ts";
import { openDesktopClient } from "./desktop-client.ts";
import { type DesktopSessions, openDesktopSessions } from "./desktop-sessions.ts";
import { glanceAt } from "./glance.ts";
import { guardAllContents } from "./guard-contents.ts";
import { serveIpc } from "./ipc.ts";
import { type NoticeSource, noticeOfToast, type Toast } from "./notices.ts";
import { createNotifications, type Notifications } from "./notifications.ts";
import { oncePerTurn } from "./once-per-turn.ts";
import { panelChannels } from "./panel-channels.ts";
import { PanelWindow } from "./panel-window.ts";
import type { RelayForDesktop } from "./relay-for-desktop.ts";
import { sessionChannels } from "./session-channels.ts";
import { SessionWindows } from "./session-windows.ts";
import { type AppTray, createTray } from "./tray.ts";
import { trayProblem } from "./tray-host.ts";
import type { TrayActions } from "./tray-menu.ts";
import { WindowPlaces } from "./window-places.ts";

export interface DesktopOptions {
  readonly relay: RelayForDesktop;
  /** Name of the operating-system user, by which other clients see this one. */
  readonly user: string;
  /** Data folder, which exists. */
  readonly data: string;
  /** Folder of the app with `dist` and `resources`. */
  readonly appFolder: string;
  /** Start in the tray, without a window. */
  readonly hidden: boolean;
  /** A line for the console. */
  readonly log: (line: string) => void;
}

/** Starts all that has a face: desktop clients, tray, windows, notifications. Electron must be ready. */
export function startDesktop(options: DesktopOptions): Desktop {
  return new Desktop(options);
}

export class Desktop implements Disposable {
  /** Resolves once the sessions that were open at the start have their desktop client. */
  readonly joined: Promise<void>;
  readonly #undo = new Undo();
  readonly #sessions: DesktopSessions;
  readonly #windows: SessionWindows;
  readonly #notifications: Notifications;
  readonly #panel: PanelWindow;
  readonly #tray: AppTray;

  constructor({ relay, user, data, appFolder, hidden, log }: DesktopOptions) {
    const icons = path.join(appFolder, "resources", "icons");
    const look = { preload: path.join(appFolder, "dist", "preload", "preload.cjs"), icon: path.join(icons, "app.png") };
    const act = this.#actions();
    this.#undo.add(serveAppScheme(path.join(appFolder, "dist", "renderer")));
    guardAllContents();

    const places = new WindowPlaces(path.join(data, "windows.json"), log);
    this.#windows = this.#stopping(new SessionWindows({ ...look, places, quit: act.quit, log }));
    this.#notifications = this.#stopping(createNotifications({ clicked: ({ id }) => act.open(id), log }));
    this.#sessions = this.#stopping(
      openDesktopSessions({
        relay,
        log,
        closed: (id) => this.#windows.forget(id),
        open: (session) =>
          openDesktopClient({
            relay,
            session,
            user,
            notify: (id, notice) => this.#notifications.show(notice, this.#source(id)),
            toast: (id, toast) => this.#toast(id, toast),
          }),
      }),
    );
    this.joined = this.#sessions.joined;

    const content = () => ({ address: relay.url, sessions: this.#sessions.all().map(glanceAt) });
    this.#panel = this.#stopping(new PanelWindow({ ...look, content, log }));
    this.#tray = this.#stopping(createTray({ icons, act }));
    this.#undo.add(oncePerTurn(this.#sessions.subscribe, () => this.#update()));
    this.#update();
    this.#undo.add(
      serveIpc(
        { ...sessionChannels(this.#windows), ...panelChannels(this.#panel, act) },
        (page) => this.#panel.owns(page) || this.#windows.sessionOf(page) !== undefined,
      ),
    );
    this.#showFirst(hidden, log);
  }

  /** Brings up the first session's window: for a second start, or a click on the dock. */
  show(): void {
    const [first] = this.#sessions.all();
    if (first !== undefined) this.#windows.open(first);
  }

  [Symbol.dispose](): void {
    this.#undo.dispose();
  }

  #actions(): TrayActions {
    return {
      open: (id) => {
        const session = this.#sessions.find(id);
        if (session !== undefined) this.#windows.open(session);
      },
      copyId: (id) => clipboard.writeText(id),
      showPanel: () => this.#panel.toggle(this.#tray.bounds()),
      quit: () => app.quit(),
    };
  }

  #stopping<T extends Disposable>(part: T): T {
    this.#undo.add(() => part[Symbol.dispose]());
    return part;
  }

  #showFirst(hidden: boolean, log: (line: string) => void): void {
    const show = () => this.show();
    app.on("activate", show);
    this.#undo.add(() => app.off("activate", show));
    if (!hidden) show();
    let stopped = false;
    this.#undo.add(() => {
      stopped = true;
    });
    void trayProblem().then((problem) => {
      if (problem === undefined || stopped) return;
      log(`${problem} Patchbay opens its window instead; start it again to see the window after closing it.`);
      show();
    });
  }

  #update(): void {
    this.#tray.show(this.#sessions.all().map(glanceAt));
    this.#panel.update();
  }

  /** In the session's window while that can be seen, else as a notification. */
  #toast(session: string, toast: Toast): void {
    if (!this.#windows.toast(session, toast)) this.#notifications.show(noticeOfToast(toast), this.#source(session));
  }

  #source(session: string): NoticeSource {
    return { id: session, name: this.#sessions.find(session)?.name() ?? session };
  }
}
