import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { STORED_KEY } from "../../../core/protocol/page-credentials.ts";
import { speakOwnLanguage } from "../../ui/own-language.ts";
import { Panel } from "../app/panel.tsx";
import { panelStores } from "../app/panel-stores.ts";
import { BrowserHost } from "./browser-host.ts";
import { RelayCalls } from "./call-relay.ts";
import { KeyDoor } from "./key-door.tsx";

/** Where this tab keeps the key that the user gave. */
const PANEL_KEY = "patchbay-panel-key";

/**
 * Shows the owner's panel in a browser: with a key that it keeps, or one that the user gives. A key is asked for only
 * where the relay refuses those that there are.
 */
export async function startInBrowser(window: Window & typeof globalThis, element: HTMLElement): Promise<void> {
  await speakOwnLanguage(window);
  const { location, history, sessionStorage } = window;
  const base = new URL("./", location.href.replace(/\/(?=$|[?#])/, ""));
  const [, given] = /^#token=(.+)$/.exec(location.hash) ?? [];
  // The key must stand in no history.
  if (given !== undefined) history.replaceState(null, "", location.pathname);
  const root = createRoot(element);
  const stores = panelStores(window);
  let shown: BrowserHost | undefined;
  /** Shows the panel with the first of some keys, and with the next where the relay refuses it. */
  const show = ([apiKey, ...others]: readonly string[], why?: string) => {
    if (apiKey === undefined) return root.render(<KeyDoor why={why} enter={enter} />);
    let isAccepted = false;
    const onRefused = (reason: string) => {
      // What is read and what is followed may both be refused.
      if (shown !== host) return;
      shown = undefined;
      host[Symbol.dispose]();
      if (isAccepted) forget(window);
      show(isAccepted ? [] : others, isAccepted || apiKey === given ? reason : undefined);
    };
    const host = new BrowserHost({ calls: new RelayCalls(base, apiKey), base, apiKey, window, onRefused });
    shown = host;
    host.on("panel.changed", () => {
      if (!isAccepted) read(() => sessionStorage.setItem(PANEL_KEY, apiKey));
      isAccepted = true;
    });
    root.render(
      <StrictMode>
        <Panel key={apiKey} host={host} stores={stores} isPage />
      </StrictMode>,
    );
  };
  const enter = async (apiKey: string) => {
    await new RelayCalls(base, apiKey).operation("getOverview", {});
    show([apiKey]);
  };
  show(given === undefined ? keptKeys(window) : [given]);
}

/** Returns the keys that this browser keeps: of this tab first, then those of the owner's links to sessions. */
function keptKeys({ sessionStorage, localStorage }: Window): readonly string[] {
  const own = read(() => sessionStorage.getItem(PANEL_KEY) ?? undefined);
  const others = [sessionStorage, localStorage].flatMap(
    (storage) =>
      read(() =>
        Array.from({ length: storage.length }, (_, index) => storage.key(index))
          .filter((name) => name?.startsWith(STORED_KEY))
          .map((name) => storage.getItem(name ?? "")),
      ) ?? [],
  );
  return [...new Set([own, ...others])].filter((key) => typeof key === "string");
}

function forget({ sessionStorage }: Window): void {
  read(() => sessionStorage.removeItem(PANEL_KEY));
}

/** Returns what a storage holds; undefined where the browser denies it. */
function read<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
