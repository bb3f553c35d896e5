import type { DayCosts, DrawerSource } from "../session/view/session-host.ts";
import { createStore } from "../ui/store.ts";

/** Time in which the page has become of use, where a browser does not tell when it is idle. */
const SETTLING_MS = 1_000;

/** The owner's drawer over HTTP, with the key of the page. Nothing of it is loaded before the page has become idle. */
export function drawerOfOwner(apiKey: string): DrawerSource {
  const waiting = createStore<number | undefined | null>(undefined);
  const costs = createStore<DayCosts | undefined>(undefined);
  const host = idle().then(async () => {
    const { openDrawerHost } = await import("../tray/start/drawer-host.ts");
    // The page is `<base>/s/<session>`.
    const base = new URL("../", location.href);
    return openDrawerHost({ base, apiKey, window, showWaiting: waiting.set, showCosts: costs.set });
  });
  return {
    waiting,
    costs,
    async load() {
      const [{ drawContent }, opened] = await Promise.all([import("../tray/start/drawer-content.tsx"), host]);
      return (props) => drawContent(opened, props);
    },
  };
}

function idle(): Promise<unknown> {
  return new Promise((done) => {
    if ("requestIdleCallback" in window) window.requestIdleCallback(done, { timeout: SETTLING_MS });
    else setTimeout(done, SETTLING_MS);
  });
}
