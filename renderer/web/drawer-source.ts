import { waitingFor } from "../../core/protocol/waiting.ts";
import type { DayCosts, DrawerSource } from "../session/view/session-host.ts";
import type { GuestClient } from "../tray/start/guest-host.ts";
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

/** The drawer of a guest, over what the page's client has of its session. Nothing of it is loaded before it is opened. */
export function drawerOfGuest(client: GuestClient): DrawerSource {
  return {
    isOfSession: true,
    waiting: {
      get: () => (client.mirror === undefined ? undefined : waitingFor(client.mirror, client.self).length),
      subscribe: (changed) => client.subscribe(changed),
    },
    async load() {
      const [{ drawContent }, { GuestHost }] = await Promise.all([
        import("../tray/start/drawer-content.tsx"),
        import("../tray/start/guest-host.ts"),
      ]);
      const host = new GuestHost(client);
      return (props) => drawContent(host, props);
    },
  };
}

function idle(): Promise<unknown> {
  return new Promise((done) => {
    if ("requestIdleCallback" in window) window.requestIdleCallback(done, { timeout: SETTLING_MS });
    else setTimeout(done, SETTLING_MS);
  });
}
