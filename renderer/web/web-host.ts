import { Client } from "../../core/client/client.ts";
import { socketLink } from "../../core/client/socket-link.ts";
import { type DialResult, stayConnected } from "../../core/client/stay-connected.ts";
import { deviceLabel } from "../../core/protocol/device-label.ts";
import type { ShownBy } from "../../core/protocol/events.ts";
import { GUEST_PROTOCOL } from "../../core/protocol/page-credentials.ts";
import type { Viewport } from "../../core/state/ports.ts";
import { splitIntoPieces } from "../session/terminal/split-into-pieces.ts";
import type { SessionHost, SessionSnapshot, Toast } from "../session/view/session-host.ts";
import { enterTunnel, readAdmission } from "./enter.ts";
import { followHost } from "./follow-host.ts";
import { watchInstallOffers } from "./install.ts";
import { browserNotifications, createNotifier } from "./notifier.ts";

const RESUME = "patchbay-resume";

interface WebHostOptions {
  /** Names this page's guest in all of its requests. */
  readonly pageKey: string;
  /** The relay refused this browser permanently. */
  readonly onRefused: (reason: string) => void;
}

/** Creates the session view's host in a browser: the client runs in the page, over a WebSocket that reconnects. */
export function createWebHost({ pageKey, onRefused }: WebHostOptions): { host: SessionHost; joined: Promise<void> } {
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
  let snapshot = snapshotOf(client);
  const views = new Set<() => void>();
  const joined = new Promise<void>((resolve) => {
    client.subscribe(() => {
      snapshot = snapshotOf(client);
      // For this tab only: each tab is a client of its own.
      if (client.resumeToken !== undefined) sessionStorage.setItem(RESUME, client.resumeToken);
      for (const view of [...views]) view();
      if (client.connected) resolve();
    });
  });
  const stop = stayConnected(client, { dial: () => dial(pageKey), pause, onRefused, random: Math.random });
  window.addEventListener("pagehide", stop, { once: true });

  const host: SessionHost = {
    platform: "browser",
    install: watchInstallOffers(window),
    following: followHost(client, sessionStorage, show),
    snapshot: () => snapshot,
    subscribe(changed) {
      views.add(changed);
      return () => views.delete(changed);
    },
    execute: (method, params) => client.execute(method, params),
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
    tunnelAddress: (port) => enterTunnel(pageKey, port),
    checkPage: (url) => client.ask("checkPage", { url }),
    answerQuestion: (given) => client.ask("answerQuestion", given),
    openInBrowser: (url) => void window.open(url, "_blank", "noopener,noreferrer"),
  };
  return { host, joined };

  function refused(error: Error): void {
    show({ kind: "error", message: error.message });
  }
}

function snapshotOf(client: Client): SessionSnapshot {
  return { state: client.state.now, mirror: client.mirror, self: client.self, connected: client.connected };
}

function dial(pageKey: string): Promise<DialResult> {
  const address = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${location.pathname}/socket`;
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, [GUEST_PROTOCOL, pageKey]);
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => resolve({ link: socketLink(socket) }));
    socket.addEventListener("error", () => {
      refusalReason(pageKey).then((reason) =>
        reason === undefined ? reject(new Error("not reachable")) : resolve({ refused: reason }),
      );
    });
  });
}

/** Asks the relay why it refused the WebSocket, which browsers do not report; undefined if it did not refuse. */
async function refusalReason(pageKey: string): Promise<string | undefined> {
  return (await readAdmission(location.pathname, pageKey)) === "refused"
    ? "You no longer have access to this session. Ask its owner for a new invite link."
    : undefined;
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
