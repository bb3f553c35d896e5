import { z } from "zod";
import type { TerminalSubscriber } from "../../core/client/terminal-subscriptions.ts";
import type { HitPlace } from "../../core/protocol/history-search.ts";
import { SessionId } from "../../core/protocol/ids.ts";
import type { SessionMirror } from "../../core/protocol/mirror.ts";
import { relayOps } from "../../core/protocol/relay-ops.ts";
import { publicName } from "../../core/protocol/settings.ts";
import { freshState } from "../../core/state/client-state.ts";
import type { AppFacts, MachineLink, PageBridge, SessionChange } from "../../preload/channels.ts";
import { splitIntoPieces } from "../session/terminal/split-into-pieces.ts";
import type {
  AppFrame,
  DrawerSource,
  FileUploads,
  OwnWindows,
  SessionHost,
  SessionSnapshot,
  ShellFiles,
} from "../session/view/session-host.ts";
import { appHost } from "../tray/host.ts";
import { formatTime } from "../ui/format-time.ts";
import { createStore } from "../ui/store.ts";
import { words } from "./words.ts";

/** The host of a window; `link` is undefined for a session of this machine. */
export interface WindowHost extends SessionHost {
  link(): MachineLink | undefined;
}

const nothingYet: SessionSnapshot = { state: freshState, mirror: undefined, self: undefined, connected: false };

/**
 * Creates the session view's host in Electron: the client runs in the main process, behind the bridge. Resolves when the
 * client's state has arrived, so that the view never renders an empty session first.
 *
 * @param own id of a window of its own; undefined for the session's main one
 */
export async function createWindowHost(bridge: PageBridge, own?: number): Promise<WindowHost> {
  let snapshot = nothingYet;
  let link: MachineLink | undefined;
  let streams = 0;
  const views = new Set<() => void>();
  const listeners = new Map<number, TerminalSubscriber>();

  // It may come before the view is there.
  let found: HitPlace | undefined;
  let onFound: ((place: HitPlace) => void) | undefined;
  bridge.on("session.found", (place) => {
    if (onFound === undefined) found = place;
    else onFound(place);
  });
  bridge.on("session.bytes", ({ stream, bytes, quiet }) => {
    listeners.get(stream)?.bytes(bytes, () => void bridge.invoke("session.acknowledge", { stream }), quiet);
  });
  bridge.on("session.missed", ({ stream, bytes, snapshot: screen }) => listeners.get(stream)?.missed(bytes, screen));
  const facts = createStore<AppFacts>({
    ...{ sessions: [], waiting: 0, costToday: 0, costByHour: [], budget: null },
    ...{ welcome: null, terminals: null },
  });
  bridge.on("app.facts", (now) => facts.set(now));
  await new Promise<void>((resolve) => {
    bridge.on("session.changed", (change) => {
      link = change.link ?? link;
      snapshot = applyChange(snapshot, change);
      for (const view of [...views]) view();
      resolve();
    });
    void bridge.invoke("session.start", undefined);
  });

  const machine = link?.machine;
  return {
    platform: "electron",
    app: appFrame(bridge, facts),
    ...(machine === undefined
      ? { files: filesHere(bridge), drawer: drawerHere(bridge, facts) }
      : { machine, uploads: uploadsThere(bridge) }),
    link: () => link,
    windows: windowsOfApp(own),
    setTheme: (theme) => void bridge.invoke("app.setSetting", { name: "theme", value: theme }),
    setLanguage: (choice) => void bridge.invoke("app.setSetting", { name: "language", value: choice }),
    snapshot: () => snapshot,
    subscribe(changed) {
      views.add(changed);
      return () => views.delete(changed);
    },
    execute: (method, params, by) => bridge.invoke("session.execute", { method, params, by }),
    subscribeOutput(shell, listener) {
      const stream = streams++;
      listeners.set(stream, listener);
      void bridge.invoke("session.listen", { stream, shell });
      return () => {
        if (listeners.delete(stream)) void bridge.invoke("session.unlisten", { stream });
      };
    },
    write(shell, data) {
      for (const piece of splitIntoPieces(data)) void bridge.invoke("session.write", { shell, data: piece });
    },
    resize: (shell, size) => void bridge.invoke("session.resize", { shell, ...size }),
    setViewport: (size) => void bridge.invoke("session.viewport", size),
    onEvent: (listener) => bridge.on("session.event", listener),
    addressOf: async (path) => `${await bridge.invoke("session.address", undefined)}/${path}`,
    onToast: (show) => bridge.on("session.toast", show),
    onLed(goTo) {
      if (found !== undefined) goTo(found);
      found = undefined;
      onFound = goTo;
      return () => {
        onFound = undefined;
      };
    },
    async tunnelAddress(port) {
      if (machine !== undefined) throw new Error(words.otherPort(port, machine));
      return { url: `http://localhost:${port}/` };
    },
    checkPage: async (url) => relayOps.checkPage.result.parse(await bridge.invoke("session.checkPage", { url })),
    search: async (query) => relayOps.searchSession.result.parse(await bridge.invoke("session.search", query)),
    readAround: async (place) => relayOps.readAround.result.parse(await bridge.invoke("session.readAround", place)),
    readConversation: async (place) =>
      relayOps.readConversation.result.parse(await bridge.invoke("session.readConversation", place)),
    resumeConversation: async (shown) =>
      relayOps.resumeConversation.result.parse(await bridge.invoke("session.resumeConversation", shown)),
    answerQuestion: (given) => bridge.invoke("session.answerQuestion", given),
    restore: async (wish) => relayOps.restoreShells.result.parse(await bridge.invoke("session.restore", wish)),
    openInBrowser: (url) => void bridge.invoke("outside.open", { url }),
  };
}

/** The main process keeps a window for each workspace that has one, and follows the focus. */
function windowsOfApp(own: number | undefined): OwnWindows {
  return { own, open: () => true, close: () => undefined, isOpen: () => true, show: () => undefined };
}

/** The panel of this machine, which has all that it needs of the main process. */
function drawerHere(bridge: PageBridge, facts: AppFrame["facts"]): DrawerSource {
  return {
    waiting: { get: () => facts.get().waiting, subscribe: facts.subscribe },
    async load() {
      const { drawContent } = await import("../tray/start/drawer-content.tsx");
      const host = appHost(bridge);
      return (props) => drawContent(host, props);
    },
  };
}

/** The files of this machine, on which the shells run. */
function filesHere(bridge: PageBridge): ShellFiles {
  return {
    pathOf: (file) => bridge.pathOf(file),
    find: async (shell, paths) =>
      FilesFound.parse(await bridge.invoke("session.findFiles", { shell, paths: [...paths] })),
    open: async (shell, path) => FileOpened.parse(await bridge.invoke("session.openFile", { shell, path })),
  };
}

/** The shells run on another machine, which has none of the user's files yet. */
function uploadsThere(bridge: PageBridge): FileUploads {
  return {
    start: async (params) =>
      relayOps.startUpload.result.parse(await bridge.invoke("session.upload", { op: "startUpload", params })),
    send: async (params) =>
      relayOps.sendUpload.result.parse(await bridge.invoke("session.upload", { op: "sendUpload", params })),
    finish: async (params) =>
      relayOps.finishUpload.result.parse(await bridge.invoke("session.upload", { op: "finishUpload", params })),
    cancel: async (params) =>
      relayOps.cancelUpload.result.parse(await bridge.invoke("session.upload", { op: "cancelUpload", params })),
  };
}

function appFrame(bridge: PageBridge, facts: AppFrame["facts"]): AppFrame {
  return {
    facts,
    openSession: (id) => void bridge.invoke("app.openSession", { id: SessionId.parse(id) }),
    createSession: (name) => bridge.invoke("app.createSession", { name }),
    showPanel: (tab) => void bridge.invoke("app.showPanel", { tab }),
    showSettings: (section) => void bridge.invoke("app.showSettings", { section }),
    showWelcome: (show) => void bridge.invoke("app.welcome", { show }),
    connectCommandLine: () => bridge.invoke("app.connectCommandLine", undefined),
    choose: (choice) => bridge.invoke("app.choose", choice),
    recordHistory: ({ on, unencrypted = false }) => bridge.invoke("app.recordHistory", { on, unencrypted }),
    setSetting: (name, value) => bridge.invoke("app.setSetting", { name: publicName(name), value }),
    tryNotification: async () => Tried.parse(await bridge.invoke("app.tryNotification", undefined)).by,
  };
}

const FilesFound = z.array(z.boolean());
const FileOpened = z.enum(["opened", "shown"]);
const Tried = z.object({ by: z.enum(["native", "toast", "log"]) });

/** Applies a change to a snapshot. Unchanged parts keep their identity. */
export function applyChange(before: SessionSnapshot, change: SessionChange): SessionSnapshot {
  const { mirror, link, ...rest } = change;
  return {
    ...before,
    ...rest,
    ...(link === undefined ? {} : { away: awayWords(link) }),
    // The first change of the mirror carries all of it.
    mirror: mirror === undefined ? before.mirror : ({ ...before.mirror, ...mirror } as SessionMirror),
  };
}

/** What the view says of a machine that is away while it keeps what is on screen. */
function awayWords({ state, machine, since }: MachineLink): string | undefined {
  if (state !== "away") return undefined;
  return since === undefined ? words.away(machine) : words.awaySince(machine, formatTime(since));
}
