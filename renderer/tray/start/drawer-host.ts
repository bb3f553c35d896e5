import type { DayCosts } from "../../session/view/session-host.ts";
import type { PanelHost } from "../host.ts";
import { waitingCount } from "../panel-summary.ts";
import { BrowserHost } from "./browser-host.ts";
import { RelayCalls } from "./call-relay.ts";

interface DrawerHostOptions {
  /** The relay's base address, with a slash at its end. */
  readonly base: URL;
  readonly apiKey: string;
  readonly window: Window & typeof globalThis;
  /** Tells the number of requests that wait for the user; null: the key opens no panel. */
  readonly showWaiting: (count: number | null) => void;
  /** Tells what agents have cost today. */
  readonly showCosts: (costs: DayCosts) => void;
}

/** Opens the panel's host in a session's page in a browser, and tells from then on what waits and what today costs. */
export function openDrawerHost({ showWaiting, showCosts, ...options }: DrawerHostOptions): PanelHost {
  const { base, apiKey } = options;
  const onRefused = () => {
    host[Symbol.dispose]();
    showWaiting(null);
  };
  const host = new BrowserHost({ ...options, calls: new RelayCalls(base, apiKey), onRefused });
  host.on("panel.changed", (content) => {
    showWaiting(waitingCount(content));
    showCosts({ costToday: content.costToday, costByHour: host.costByHour(), budget: content.budgets.day });
  });
  // While the drawer is closed only the number of what waits is shown, and the sum.
  host.follow("waiting");
  return {
    can: (name) => name === "panel.hide" || host.can(name),
    async invoke(name, args) {
      if (name !== "panel.hide") return await host.invoke(name, args);
      host.follow("waiting");
    },
    on: (name, listener) => host.on(name, listener),
    onTouched: host.onTouched,
    connection: host.connection,
  };
}
