import type { PanelTab } from "../../../preload/channels.ts";
import { hostRuns, type PanelHost } from "../host.ts";
import type { PanelIconName } from "../icons.tsx";

interface Place {
  readonly id: PanelTab;
  readonly icon: PanelIconName;
  /** Reports whether a host can do anything that the place is for. */
  readonly isThere: (host: PanelHost) => boolean;
}

const places: readonly Place[] = [
  { id: "now", icon: "inbox", isThere: () => true },
  { id: "sessions", icon: "sessions", isThere: () => true },
  { id: "agents", icon: "agents", isThere: (host) => host.can("panel.usage") },
  { id: "activity", icon: "activity", isThere: (host) => hostRuns(host, "audit") },
  { id: "settings", icon: "sliders", isThere: (host) => hostRuns(host, "setSetting") },
];

/** Lists the places that the panel has over a host, in their order. */
export function placesOf(host: PanelHost): readonly Place[] {
  return places.filter(({ isThere }) => isThere(host));
}

/** Returns the place of this name that the panel has over a host; undefined: none. */
export function placeNamed(host: PanelHost, name: string): PanelTab | undefined {
  return placesOf(host).find(({ id }) => id === name)?.id;
}
