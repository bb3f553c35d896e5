import { Client } from "../../core/client/client.ts";
import { socketLink } from "../../core/client/socket-link.ts";
import { type DialResult, stayConnected } from "../../core/client/stay-connected.ts";
import { deviceLabel } from "../../core/protocol/device-label.ts";
import type { ShownBy } from "../../core/protocol/events.ts";
import type { ClientLink } from "../../core/protocol/link.ts";
import { GUEST_PROTOCOL, KEY_PROTOCOL } from "../../core/protocol/page-credentials.ts";
import type { PagePlace } from "../../core/protocol/page-place.ts";
import type { Viewport } from "../../core/state/ports.ts";
import { splitIntoPieces } from "../session/terminal/split-into-pieces.ts";
import type { SessionHost, SessionSnapshot, Toast } from "../session/view/session-host.ts";
import { ownLanguage } from "../ui/own-language.ts";
import { drawerOfGuest, drawerOfOwner } from "./drawer-source.ts";
import { enterTunnel, type PageCredential, readAdmission, socketAddress } from "./enter.ts";
import { followHost } from "./follow-host.ts";
import { watchInstallOffers } from "./install.ts";
import { browserNotifications, createNotifier } from "./notifier.ts";
import { PageWindows, RESUME, windowsFrom } from "./own-windows.ts";

interface WebHostOptions {
  /** Names this page's guest, or the owner of its API key, in all of its requests. */
  readonly credential: PageCredential;
  /** What the page was opened to show. */
  readonly place?: PagePlace | undefined;
  /** The relay refused this browser permanently. */
  readonly onRefused: (reason: string) => void;
  /** The relay of the session cannot be reached, and is tried again. `why`: what the page's own relay says of it. */
  readonly onAway: (why: string | undefined) => void;
}

/** Creates the session view's host in a browser: the client runs in the page, over a WebSocket that reconnects. */
export function createWebHost({ credential, place, onRefused, onAway }: WebHostOptions): {
  host: SessionHost;
  joined: Promise<void>;
} {
  const toasts = new Set<(toast: Toast) => void>();
  let viewport: Viewport = { cols: 160, rows: 48 };
  const show = (toast: Toast): ShownBy => {
    for (const listener of [...toasts]) listener(toast);
    // No toast can be shown before the view is mounted.
    return toasts.size === 0 ? "log" : "toast";
  };
  const client = new Client(
    {
      kind: "browser",
      device: deviceLabel(navigator.userAgent),
      toast: show,
      notify: createNotifier(browserNotifications(window), show),
      viewport: () => viewport,
    },
    sessionStorage.getItem(RESUME) ?? undefined,
  );
  let away: string | undefined;
  let snapshot = snapshotOf(client);
  const views = new Set<() => void>();
  const showAway = (why: string | undefined) => {
    away = why;
    snapshot = { ...snapshotOf(client), away };
    onAway(why);
    for (const view of [...views]) view();
  };
  const joined = new Promise<void>((resolve) => {
    client.subscribe(() => {
      if (client.connected) away = undefined;
      snapshot = { ...snapshotOf(client), away };
      // For this tab only: each tab is a client of its own.
      if (client.resumeToken !== undefined) sessionStorage.setItem(RESUME, client.resumeToken);
      for (const view of [...views]) view();
      if (client.connected) resolve();
    });
  });
  const stop = stayConnected(client, {
    dial: () => dial(credential, showAway),
    pause,
    onRefused,
    random: Math.random,
  });
  window.addEventListener("pagehide", stop, { once: true });
  const pages = new PageWindows(window, client, () => {
    // What is drawn here depends on them.
    snapshot = { ...snapshot };
    for (const view of [...views]) view();
  });

  const host: SessionHost = {
    platform: "browser",
    setLanguage: ownLanguage(window).set,
    windows: windowsFrom(window, pages, undefined),
    install: watchInstallOffers(window),
    drawer: "apiKey" in credential ? drawerOfOwner(credential.apiKey) : drawerOfGuest(client),
    following: followHost(client, sessionStorage, show),
    snapshot: () => snapshot,
    subscribe(changed) {
      views.add(changed);
      return () => views.delete(changed);
    },
    execute: (method, params, by) => client.execute(method, params, by),
    subscribeOutput: (shell, listener) => client.terminals.subscribe(shell, listener),
    write(shell, data) {
      for (const piece of splitIntoPieces(data))
        void client.ask("writeShell", { shell, data: piece, raw: true }).catch(refused);
    },
    resize: (shell, size) => void client.ask("resizeShell", { shell, ...size }).catch(() => undefined),
    setViewport(size) {
      viewport = size;
    },
    onEvent: (listener) => client.onEvent(listener),
    // The page is `<base>/s/<session>`.
    addressOf: async (path) => new URL(`../${path}`, location.href).href,
    onToast(listener) {
      toasts.add(listener);
      return () => toasts.delete(listener);
    },
    onLed(goTo) {
      if (place !== undefined) goTo(place);
      return () => undefined;
    },
    tunnelAddress: (port) => enterTunnel(credential, port),
    checkPage: (url) => client.ask("checkPage", { url }),
    search: (query) => client.ask("searchSession", query),
    readAround: (place) => client.ask("readAround", place),
    readConversation: (place) => client.ask("readConversation", place),
    resumeConversation: (shown) => client.ask("resumeConversation", shown),
    answerQuestion: (given) => client.ask("answerQuestion", given),
    restore: (wish) => client.ask("restoreShells", wish),
    uploads: {
      start: (given) => client.ask("startUpload", given),
      send: (given) => client.ask("sendUpload", given),
      finish: (given) => client.ask("finishUpload", given),
      cancel: (given) => client.ask("cancelUpload", given),
    },
    openInBrowser: (url) => void window.open(url, "_blank", "noopener,noreferrer"),
  };
  return { host, joined: joined.then(() => pages.serve(host)) };

  function refused(error: Error): void {
    show({ kind: "error", message: error.message });
  }
}

function snapshotOf(client: Client): SessionSnapshot {
  return { state: client.state.now, mirror: client.mirror, self: client.self, connected: client.connected };
}

/** Connects, or says that the relay refuses this page. Rejects while the relay of the session cannot be reached. */
async function dial(credential: PageCredential, showAway: (why: string | undefined) => void): Promise<DialResult> {
  // Another relay may serve the session: whether it answers is known before a WebSocket would wait for it.
  const asksFirst = "apiKey" in credential;
  const early = asksFirst ? undefined : await openSocket(credential);
  if (early !== undefined) return { link: early };
  // Browsers do not say why a WebSocket was refused.
  const admission = await readAdmission(location.pathname, credential);
  if (admission.state === "refused") return { refused: admission.why };
  if (admission.state === "away") showAway(admission.why);
  const link = asksFirst && admission.state === "admitted" ? await openSocket(credential) : undefined;
  if (link === undefined) throw new Error("not reachable");
  return { link };
}

/** Opens the WebSocket of the session; resolves to undefined if that fails. */
function openSocket(credential: PageCredential): Promise<ClientLink | undefined> {
  const isKey = "apiKey" in credential;
  const address = isKey ? socketAddress() : new URL(`${location.pathname}/socket`, location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  const protocols = isKey ? [KEY_PROTOCOL, credential.apiKey] : [GUEST_PROTOCOL, credential.pageKey];
  return new Promise((resolve) => {
    const socket = new WebSocket(address, protocols);
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => resolve(socketLink(socket)));
    socket.addEventListener("error", () => resolve(undefined));
  });
}

/** Waits; ends early when the network returns or the page becomes visible. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      document.removeEventListener("visibilitychange", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener("online", done);
    document.addEventListener("visibilitychange", done);
  });
}
