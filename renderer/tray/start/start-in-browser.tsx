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

/** Shows the owner's panel in a browser: with the key that it keeps, or one that the user gives. */
export async function startInBrowser(window: Window & typeof globalThis, element: HTMLElement): Promise<void> {
  await speakOwnLanguage(window);
  const { location, history, sessionStorage } = window;
  const base = new URL("./", location.href.replace(/\/(?=$|[?#])/, ""));
  const [, given] = /^#token=(.+)$/.exec(location.hash) ?? [];
  // The key must stand in no history.
  if (given !== undefined) history.replaceState(null, "", location.pathname);
  const root = createRoot(element);
  const stores = panelStores(window);
  const show = (apiKey: string) => {
    const calls = new RelayCalls(base, apiKey);
    const onRefused = (why: string) => {
      host[Symbol.dispose]();
      forget(window);
      ask(why);
    };
    const host = new BrowserHost({ calls, base, apiKey, window, onRefused });
    root.render(
      <StrictMode>
        <Panel host={host} stores={stores} isPage />
      </StrictMode>,
    );
  };
  const enter = async (apiKey: string) => {
    await new RelayCalls(base, apiKey).operation("getOverview", {});
    read(() => sessionStorage.setItem(PANEL_KEY, apiKey));
    show(apiKey);
  };
  const ask = (why?: string) => root.render(<KeyDoor why={why} enter={enter} />);
  for (const key of given === undefined ? keptKeys(window) : [given]) {
    try {
      return await enter(key);
    } catch {
      // Another one may be accepted.
    }
  }
  ask();
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
