import { useEffect } from "react";
import { type SettingsSection, settingsWindowSections } from "../../../core/protocol/settings.ts";
import type { PanelTab } from "../../../preload/channels.ts";
import type { PanelView } from "../use-panel.ts";

const places = ["now", "sessions", "agents", "activity", "settings"] as const satisfies readonly PanelTab[];

/** What the panel shows: a place, and a section of the settings. */
interface ShownPlace {
  readonly place: PanelTab;
  readonly section: SettingsSection | undefined;
}

/** Reads a place from the fragment of an address such as `#settings/appearance`; anything else is the first place. */
export function placeOf(fragment: string): ShownPlace {
  const [, name, wanted] = /^#(\w+)(?:\/(\w+))?$/.exec(fragment) ?? [];
  const place = places.find((one) => one === name) ?? "now";
  const section = place === "settings" ? settingsWindowSections.find((one) => one === wanted) : undefined;
  return { place, section };
}

/**
 * Keeps the place in the page's address, so that it can be linked to, survives a reload, and is left by the browser's
 * Back. Has no effect in the app, whose pages have no address that anybody sees.
 */
export function usePlaceAddress(
  { place, section }: ShownPlace,
  { isPage, show }: { readonly isPage: boolean; readonly show: PanelView["goTo"] },
): void {
  useEffect(() => {
    if (!isPage) return;
    const fragment = place === "now" ? "" : `#${place}${section === undefined ? "" : `/${section}`}`;
    if (fragment === location.hash) return;
    history.pushState(null, "", `${location.pathname}${location.search}${fragment}`);
  }, [isPage, place, section]);
  useEffect(() => {
    if (!isPage) return;
    const follow = () => {
      const wanted = placeOf(location.hash);
      show(wanted.place, { section: wanted.section });
    };
    window.addEventListener("popstate", follow);
    return () => window.removeEventListener("popstate", follow);
  }, [isPage, show]);
}
