import * as Tabs from "@radix-ui/react-tabs";
import { type KeyboardEvent, lazy, Suspense, useEffect, useState } from "react";
import type { PageBridge, PanelContent, PanelTab } from "../../preload/channels.ts";
import { CodeText } from "../ui/code-text.ts";
import { persistedSettings } from "../ui/terminal-settings.ts";
import { ActivityTab } from "./activity-tab.tsx";
import { InboxTab } from "./inbox-tab.tsx";
import { summary, waitingIn } from "./panel-summary.ts";
import { PeopleTab } from "./people-tab.tsx";
import { SessionsTab } from "./sessions-tab.tsx";
import { SettingsTab } from "./settings-tab.tsx";
import { PanelContext, panelView } from "./use-panel.ts";
import { useRemotes } from "./use-remotes.ts";
import { words } from "./words/index.ts";

// The chart library is most of the page's code, so it is loaded on demand.
const CostsTab = lazy(() => import("./costs-tab.tsx").then(({ CostsTab }) => ({ default: CostsTab })));

const STATUS_DURATION_MS = 6_000;

const tabs = [
  "questions",
  "sessions",
  "people",
  "costs",
  "activity",
  "settings",
] as const satisfies readonly PanelTab[];

interface StatusMessage {
  readonly sentence: string;
  readonly kind: "info" | "bad";
}

/** The tray panel: questions, sessions, people, costs, activity and settings. */
export function Panel({ bridge }: { readonly bridge: PageBridge }) {
  const [content, setContent] = useState<PanelContent>();
  const [status, setStatus] = useState<StatusMessage>();
  const [tab, setTab] = useState<PanelTab>("questions");
  const [remotes, askRemotes] = useRemotes(bridge);
  const [terminals] = useState(() => persistedSettings(window));
  useEffect(() => {
    const stop = [bridge.on("panel.changed", setContent), bridge.on("panel.tab", setTab)];
    void bridge.invoke("panel.start", undefined);
    return () => {
      for (const end of stop) end();
    };
  }, [bridge]);
  useEffect(() => {
    if (status === undefined) return;
    const timer = setTimeout(() => setStatus(undefined), STATUS_DURATION_MS);
    return () => clearTimeout(timer);
  }, [status]);
  if (content === undefined) return null;
  const showStatus = (sentence: string, kind: StatusMessage["kind"] = "info") => setStatus({ sentence, kind });
  const waiting = waitingIn(content, remotes);
  const view = panelView(bridge, { content, remotes, askRemotes, terminals, showStatus });
  return (
    <PanelContext value={view}>
      <Tabs.Root
        className="panel"
        value={tab}
        onValueChange={(chosen) => setTab(chosen as PanelTab)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && !isHandledInside(event)) void view.run("panel.hide", undefined);
        }}
      >
        <header>
          <h1 className="visually-hidden">Patchbay</h1>
          <Tabs.List className="panel-tabs" aria-label={words.panel.parts}>
            {tabs.map((id) => (
              <Tabs.Trigger key={id} value={id} className="panel-tab">
                {words.panel.tabs[id]}
                {id !== "activity" && id !== "settings" && <WaitingBadge count={waiting[id]} what={id} />}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
        </header>
        <Alerts content={content} />
        <main className="panel-main">
          <Tabs.Content value="questions" className="panel-page">
            <InboxTab />
          </Tabs.Content>
          <Tabs.Content value="sessions" className="panel-page">
            <SessionsTab />
          </Tabs.Content>
          <Tabs.Content value="people" className="panel-page">
            <PeopleTab />
          </Tabs.Content>
          <Tabs.Content value="costs" className="panel-page">
            <Suspense fallback={null}>
              <CostsTab />
            </Suspense>
          </Tabs.Content>
          <Tabs.Content value="activity" className="panel-page">
            <ActivityTab />
          </Tabs.Content>
          <Tabs.Content value="settings" className="panel-page panel-settings">
            <SettingsTab />
          </Tabs.Content>
        </main>
        <Footer content={content} said={status} pause={(paused) => void view.run("panel.pause", { paused })} />
      </Tabs.Root>
    </PanelContext>
  );
}

/** Reports whether Escape is handled inside the panel: by a form, a dialog, or a search with text. */
function isHandledInside({ defaultPrevented, target }: KeyboardEvent): boolean {
  const search = target instanceof HTMLInputElement && target.type === "search" && target.value !== "";
  return defaultPrevented || search || document.querySelector("dialog[open]") !== null;
}

/** Problems that affect the whole app, above the tabs. */
function Alerts({ content }: { readonly content: PanelContent }) {
  const { healthIssue, trayProblem, notificationProblem, keychainProblem } = content;
  return (
    <>
      {healthIssue !== undefined && (
        <p className="panel-news" data-kind="bad" role="status">
          {words.panel.problem(healthIssue.replace(/\.?$/, "."))}
        </p>
      )}
      {trayProblem !== undefined && (
        <p className="panel-news">{words.panel.asWindow({ problem: <CodeText text={trayProblem} /> })}</p>
      )}
      {notificationProblem !== undefined && (
        <p className="panel-news">
          <CodeText text={notificationProblem} />
        </p>
      )}
      {keychainProblem !== undefined && (
        <p className="panel-news">
          <CodeText text={keychainProblem} />
        </p>
      )}
    </>
  );
}

function Footer(props: {
  readonly content: PanelContent;
  readonly said: StatusMessage | undefined;
  readonly pause: (paused: boolean) => void;
}) {
  const { content, said, pause } = props;
  const sentence = said?.sentence ?? summary(content);
  return (
    <footer className="panel-foot">
      <span className={`ellipsis ${said?.kind === "bad" ? "panel-bad" : ""}`} role="status" title={sentence}>
        {sentence}
      </span>
      <button
        type="button"
        className="button quiet"
        aria-pressed={content.paused}
        onClick={() => pause(!content.paused)}
      >
        {content.paused ? words.panel.resume : words.panel.pause}
      </button>
    </footer>
  );
}

function WaitingBadge({ count, what }: { readonly count: number; readonly what: keyof typeof words.panel.badges }) {
  if (count === 0) return null;
  return (
    <span className="panel-waits">
      {count}
      <span className="visually-hidden"> {words.panel.badges[what](count)}</span>
    </span>
  );
}
