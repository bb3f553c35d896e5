import { type KeyboardEvent, useEffect, useState } from "react";
import { type SettingsSection, settingsWindowSections } from "../../../core/protocol/settings.ts";
import type { PanelContent } from "../../../preload/channels.ts";
import { useLanguage } from "../../ui/language.ts";
import { persistedValue } from "../../ui/persisted.ts";
import { useStore } from "../../ui/store.ts";
import type { PanelHost } from "../host.ts";
import { waitingCount } from "../panel-summary.ts";
import { SettingsPlace } from "../settings/settings-place.tsx";
import { PanelContext, type PanelStores, type PanelTarget, panelView } from "../use-panel.ts";
import { useRemotes } from "../use-remotes.ts";
import { words } from "../words/index.ts";
import { isHandledInside } from "./handled-inside.ts";
import { useStatus } from "./use-status.ts";

/** The window of the settings: the same place that the panel has in a browser, and the section that was shown last. */
export function SettingsPage({ host, stores }: { readonly host: PanelHost; readonly stores: PanelStores }) {
  useLanguage();
  const [content, setContent] = useState<PanelContent>();
  const [kept] = useState(() => lastSection(window));
  const section = useStore(kept);
  const [target, setTarget] = useState<PanelTarget>();
  const [status, showStatus] = useStatus();
  const [remotes, askRemotes] = useRemotes(host);
  useEffect(() => {
    const follow = ({ section: next, setting }: PanelTarget) => {
      kept.set(next);
      setTarget({ setting });
    };
    const stop = [host.on("panel.changed", setContent), host.on("panel.section", follow)];
    void host.invoke("panel.start", undefined);
    return () => {
      for (const end of stop) end();
    };
  }, [host, kept]);
  if (content === undefined) return null;
  const showSettings = (next: SettingsSection | undefined) => kept.set(next);
  const view = panelView(host, {
    ...{ content, remotes, askRemotes, stores, showSettings, showStatus },
    waiting: waitingCount(content, remotes),
    isWide: false,
    // The relay runs in the same process.
    isAway: false,
    settingsSection: section,
    // What else the panel has is not in this window.
    goTo: (_place, to = {}) => {
      showSettings(to.section);
      setTarget(to);
    },
    target,
    showActions: () => undefined,
    reach: () => setTarget(undefined),
  });
  const keyDown = (event: KeyboardEvent) => {
    const closes = event.key.toLowerCase() === "w" && (event.ctrlKey || event.metaKey) && !event.altKey;
    if (closes || (event.key === "Escape" && !isHandledInside(event))) void view.run("panel.hide", undefined);
    else if (!isFind(event)) return;
    else event.currentTarget.querySelector<HTMLElement>("input[type=search]")?.focus();
    event.preventDefault();
  };
  return (
    <PanelContext value={view}>
      <main className="settings-window" onKeyDown={keyDown}>
        <h1 className="visually-hidden">{words.panel.tabs.settings}</h1>
        <SettingsPlace />
        <p className={`settings-status ${status?.kind === "bad" ? "panel-bad" : ""}`} role="status">
          {status?.sentence}
        </p>
      </main>
    </PanelContext>
  );
}

function isFind({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === "f" && ctrlKey !== metaKey && !altKey && !shiftKey;
}

/** Keeps the section that was shown last; undefined: none yet. */
function lastSection(window: Window) {
  return persistedValue<SettingsSection | undefined>(window, {
    key: "patchbay.settings.section",
    parse: (text) => settingsWindowSections.find((one) => one === text),
    format: (section) => section ?? "",
    fallback: undefined,
  });
}
