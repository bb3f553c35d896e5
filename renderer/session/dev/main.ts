import "../../ui/no-eval.ts";
import { Client } from "../../../core/client/client.ts";
import { linkedPair } from "../../../core/protocol/link.ts";
import type { Viewport } from "../../../core/state/ports.ts";
import { mountSessionView } from "../mount.tsx";
import type { DrawerSource, SessionHost, SessionSnapshot, Toast } from "../view/session-host.ts";
import { sceneNamed } from "./scenes.ts";
import { scriptRelay } from "./scripted-relay.ts";

declare global {
  interface Window {
    /** The sources of the drawer stand above these: who opens the page may bring it. */
    readonly drawer?: DrawerSource;
  }
}

// Development page for the view: ?scene=six&theme=dark. Uses the real client with a scripted relay.
const query = new URLSearchParams(location.search);
const theme = query.get("theme");
if (theme !== null) document.documentElement.dataset.theme = theme;

const toasts = new Set<(toast: Toast) => void>();
let viewport: Viewport = { cols: 200, rows: 50 };
const client = new Client({
  kind: "browser",
  device: "Chromium on Linux",
  toast: (toast) => {
    for (const show of toasts) show(toast);
    return "toast";
  },
  notify: () => "log",
  viewport: () => viewport,
});
const pair = linkedPair();
const relay = scriptRelay(pair.relay, sceneNamed(query.get("scene") ?? "six"));
await client.connect(pair.client);

let snapshot = read();
const host: SessionHost = {
  platform: "browser",
  snapshot: () => snapshot,
  subscribe: (changed) =>
    client.subscribe(() => {
      snapshot = read();
      changed();
    }),
  execute: (method, params, by) => client.execute(method, params, by),
  subscribeOutput: (shell, listener) => client.terminals.subscribe(shell, listener),
  write: (shell, data) => void client.ask("writeShell", { shell, data, raw: true }),
  resize: (shell, size) => void client.ask("resizeShell", { shell, ...size }),
  setViewport(size) {
    viewport = size;
  },
  onEvent: (listener) => client.onEvent(listener),
  addressOf: async (path) => new URL(path, location.origin).href,
  onToast(show) {
    toasts.add(show);
    return () => toasts.delete(show);
  },
  tunnelAddress: async (port) => ({ url: `http://localhost:${port}/` }),
  checkPage: (url) => client.ask("checkPage", { url }),
  search: (query) => client.ask("searchSession", query),
  readAround: (place) => client.ask("readAround", place),
  readConversation: (place) => client.ask("readConversation", place),
  resumeConversation: (shown) => client.ask("resumeConversation", shown),
  answerQuestion: (given) => client.ask("answerQuestion", given),
  restore: (wish) => client.ask("restoreShells", wish),
  openInBrowser: (url) => void window.open(url, "_blank", "noopener"),
  ...(window.drawer !== undefined && { drawer: window.drawer }),
};

const root = document.getElementById("root");
if (root !== null) mountSessionView(root, host);
Object.assign(window, { dev: { client, relay, pair } });

function read(): SessionSnapshot {
  return { state: client.state.now, mirror: client.mirror, self: client.self, connected: client.connected };
}
