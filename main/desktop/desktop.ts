import path from "node:path";
import { app, clipboard, type WebContents } from "electron";
import { RemoteError } from "../../core/protocol/errors.ts";
import { Undo } from "../../core/undo.ts";
import { serveAppScheme } from "./app-scheme.ts";
import { openDesktopClient } from "./desktop-client.ts";
import { openDesktopSessions } from "./desktop-sessions.ts";
import { glanceAt } from "./glance.ts";
import { guardAllContents } from "./guard-contents.ts";
import { serveIpc } from "./ipc.ts";
import { noticeOfToast } from "./notices.ts";
import { createNotifications } from "./notifications.ts";
import { PanelWindow } from "./panel-window.ts";
import type { RelayForDesktop } from "./relay-for-desktop.ts";
import { sessionChannels } from "./session-channels.ts";
import { SessionWindows } from "./session-windows.ts";
import { createTray } from "./tray.ts";
import { trayProblem } from "./tray-host.ts";
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

export interface Desktop extends Disposable {
  /** Brings up the first session's window: for a second start, or a click on the dock. */
  show(): void;
  /** Resolves once the sessions that were open at the start have their desktop client. */
  readonly joined: Promise<void>;
}

/** Starts all that has a face: desktop clients, tray, windows, notifications. Electron must be ready. */
export function startDesktop(options: DesktopOptions): Desktop {
  const { relay, user, data, appFolder, hidden, log } = options;
  const undo = new Undo();
  const icons = path.join(appFolder, "resources", "icons");
  const look = { preload: path.join(appFolder, "dist", "preload", "preload.cjs"), icon: path.join(icons, "app.png") };
  undo.add(serveAppScheme(path.join(appFolder, "dist", "renderer")));
  guardAllContents();

  const places = new WindowPlaces(path.join(data, "windows.json"), log);
  const quit = () => app.quit();
  const windows = new SessionWindows({ ...look, places, quit, log });
  undo.add(() => windows[Symbol.dispose]());

  const openId = (id: string) => {
    const session = sessions.find(id);
    if (session !== undefined) windows.open(session);
  };
  const notifications = createNotifications({ clicked: ({ id }) => openId(id), log });
  undo.add(() => notifications[Symbol.dispose]());
  const source = (id: string) => ({ id, name: sessions.find(id)?.name() ?? id });

  const sessions = openDesktopSessions({
    relay,
    log,
    closed: (id) => windows.close(id),
    open: (session) =>
      openDesktopClient({
        relay,
        session,
        user,
        notify: (id, notice) => notifications.show(notice, source(id)),
        toast: (id, toast) => {
          if (!windows.toast(id, toast)) notifications.show(noticeOfToast(toast), source(id));
        },
      }),
  });
  undo.add(() => sessions[Symbol.dispose]());

  const glances = () => sessions.all().map(glanceAt);
  const panel = new PanelWindow({ ...look, log, content: () => ({ address: relay.url, sessions: glances() }) });
  undo.add(() => panel[Symbol.dispose]());
  const copyId = (id: string) => clipboard.writeText(id);
  const tray = createTray({
    icons,
    act: { open: openId, copyId, quit, showPanel: () => panel.toggle(tray.bounds()) },
  });
  undo.add(() => tray[Symbol.dispose]());
  const update = () => {
    tray.show(glances());
    panel.update();
  };
  undo.add(oncePerTurn(sessions.subscribe, update));
  update();

  const fromPanel = (caller: WebContents, act: () => void) => {
    if (!panel.owns(caller)) throw new RemoteError("scope_forbids", "Only the panel may ask for this.");
    act();
  };
  undo.add(
    serveIpc(
      {
        ...sessionChannels(windows),
        "panel.start": (caller) => fromPanel(caller, () => panel.start()),
        "panel.open": (caller, { id }) => fromPanel(caller, () => openId(id)),
        "panel.copyId": (caller, { id }) => fromPanel(caller, () => copyId(id)),
        "panel.quit": (caller) => fromPanel(caller, quit),
      },
      (contents) => panel.owns(contents) || windows.sessionOf(contents) !== undefined,
    ),
  );

  const show = () => {
    const [first] = sessions.all();
    if (first !== undefined) windows.open(first);
  };
  app.on("activate", show);
  undo.add(() => app.off("activate", show));
  if (!hidden) show();
  trayProblem().then((problem) => {
    if (problem === undefined) return;
    log(`${problem} Patchbay opens its window instead; start it again to see the window after closing it.`);
    show();
  });
  return { show, joined: sessions.joined, [Symbol.dispose]: () => undo.dispose() };
}

/** Answers a burst of changes with one update. Answers how to stop. */
function oncePerTurn(subscribe: (changed: () => void) => () => void, update: () => void): () => void {
  let scheduled: NodeJS.Immediate | undefined;
  const leave = subscribe(() => {
    scheduled ??= setImmediate(() => {
      scheduled = undefined;
      update();
    });
  });
  return () => {
    leave();
    clearImmediate(scheduled);
  };
}
