import * as Tabs from "@radix-ui/react-tabs";
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import type { PanelContent, PanelTab } from "../../../preload/channels.ts";
import type { DrawerContentProps } from "../../session/view/session-host.ts";
import { Icon } from "../../ui/icon.tsx";
import { useLanguage } from "../../ui/language.ts";
import { lazyPart } from "../../ui/load-guard.tsx";
import { Mark } from "../../ui/mark.tsx";
import { Menu, type OpenMenu } from "../../ui/menu.tsx";
import { createStore, useStore } from "../../ui/store.ts";
import type { PanelHost, RelayAway } from "../host.ts";
import { PanelIcon } from "../icons.tsx";
import { LoadedPart } from "../loaded-part.tsx";
import { HealthLine } from "../now/health-line.tsx";
import { Here } from "../now/here.tsx";
import { moveFocus } from "../now/move-focus.ts";
import { NowPlace } from "../now/now-place.tsx";
import { Today } from "../now/today.tsx";
import { waitingCount } from "../panel-summary.ts";
import { RelayAwayCard } from "../relay-away-card.tsx";
import { actionsOn, rowOf } from "../row-actions.ts";
import { SessionsTab } from "../sessions-tab.tsx";
import { PanelContext, type PanelStores, type PanelTarget, panelView } from "../use-panel.ts";
import { useRemotes } from "../use-remotes.ts";
import { targets } from "../use-target.ts";
import { useWide } from "../use-wide.ts";
import { words } from "../words/index.ts";
import { Announcements } from "./announcements.tsx";
import { Bar } from "./bar.tsx";
import { FirstAnswer } from "./first-answer.tsx";
import { isHandledInside } from "./handled-inside.ts";
import { commandOf, crossPanel, isCommand, startsSearch } from "./panel-keys.ts";
import { placeNamed, placesOf } from "./places.ts";
import { Search, type SearchControl } from "./search.tsx";
import { useFirstItem } from "./use-first-item.ts";
import { placeOf, usePlaceAddress } from "./use-place-address.ts";
import { useStatus } from "./use-status.ts";
import { useSwipeActions } from "./use-swipe-actions.ts";

// The chart library and terminals are most of the page's code, so they are loaded on demand.
const ActivityPlace = lazyPart(
  () => import("../activity/activity-place.tsx"),
  ({ ActivityPlace }) => ActivityPlace,
);
const SettingsPlace = lazyPart(
  () => import("../settings/settings-place.tsx"),
  ({ SettingsPlace }) => SettingsPlace,
);
const CostsTab = lazyPart(
  () => import("../costs/costs-tab.tsx"),
  ({ CostsTab }) => CostsTab,
);

/** The places that calls of the drawer lead to. */
const calledPlaces = {
  waiting: "now",
  costs: "agents",
  people: "sessions",
  activity: "activity",
  settings: "settings",
} as const;

/** The relay in the same process, which is never away. */
const present = createStore<RelayAway | undefined>(undefined);

/** What the panel has where it is the drawer of a session's page. */
interface PanelDrawer {
  /** Controls of the drawer, at the end of the first row. */
  readonly tools: ReactNode;
  /** Keys that lead to it, as printed on keyboards; undefined: none. */
  readonly keys: string | undefined;
  /** The last call of the drawer, which the panel follows. */
  readonly call: DrawerContentProps["call"];
  /** Tells the number of requests that wait for the user. */
  showWaiting(count: number): void;
}

interface PanelProps {
  readonly host: PanelHost;
  readonly stores: PanelStores;
  readonly drawer?: PanelDrawer;
  /** The panel is a page of its own, whose address names the place. */
  readonly isPage?: boolean;
}

/**
 * The tray panel: the glance with what waits, then sessions, agents and activity; in a browser the settings too, which the
 * app has in a window of their own. Places and controls for what the host cannot do are absent.
 */
export function Panel({ host, stores, drawer, isPage = false }: PanelProps) {
  useLanguage();
  const [content, setContent] = useState<PanelContent>();
  const [status, showStatus] = useStatus();
  const hasWindow = host.can("panel.showSettings");
  const [first] = useState(() => placeOf(isPage ? location.hash : ""));
  const [place, setPlace] = useState(first.place);
  const [enter, setEnter] = useState<string>();
  const [row, setRow] = useState<Element | null>(null);
  const [menu, setMenu] = useState<OpenMenu>();
  const [found, setFound] = useState<React.ReactNode>();
  const [remotes, askRemotes, haveAnswered] = useRemotes(host);
  const [settingsSection, showSettings] = useState(first.section);
  const [target, setTarget] = useState<PanelTarget>();
  const isInDrawer = drawer !== undefined;
  const isWide = useWide() && !isInDrawer;
  const search = useRef<SearchControl>(null);
  const main = useRef<HTMLDivElement>(null);
  const goTo = useCallback(
    (next: PanelTab, to: PanelTarget = {}) => {
      const { section, setting } = to;
      if (placeNamed(host, next) === undefined) return;
      search.current?.clear();
      // At once: what the results hide cannot take the focus.
      setFound(undefined);
      if (next === "settings" && hasWindow) return void host.invoke("panel.showSettings", { section, setting });
      showSettings(section);
      setTarget(to);
      setEnter(undefined);
      setRow(null);
      // Where the sessions stand beside what waits, they are led to there.
      const isBeside = next === "sessions" && isWide && to.item !== undefined;
      setPlace((now) => (isBeside && now === "now" ? now : next));
      // Where the panel is one scrolling column, a place begins at its top.
      if (!isInDrawer) window.scrollTo(0, 0);
    },
    [host, hasWindow, isInDrawer, isWide],
  );
  usePlaceAddress({ place, section: settingsSection }, { isPage, show: goTo });
  useEffect(() => {
    const stop = [host.on("panel.changed", setContent), host.on("panel.tab", (next) => goTo(next))];
    void host.invoke("panel.start", undefined);
    return () => {
      for (const end of stop) end();
    };
  }, [host, goTo]);
  const call = drawer?.call;
  useEffect(() => {
    const follow = () => {
      const called = call?.get();
      if (called?.kind === "invites") goTo("sessions", { item: targets.invite(called.session) });
      else if (called !== undefined) goTo(calledPlaces[called.kind]);
    };
    // The drawer may have been called before the panel was loaded.
    follow();
    return call?.subscribe(follow);
  }, [call, goTo]);
  const isLoaded = content !== undefined;
  useFirstItem(main, isLoaded ? place : undefined, isInDrawer);
  const showActions = (of: Element | null, at?: OpenMenu["at"]) => {
    const actions = actionsOn(of);
    if (of === null || actions === undefined) return false;
    const { right, bottom } = of.getBoundingClientRect();
    setMenu({ ...actions, at: at ?? { x: right, y: bottom, isEnd: true } });
    return true;
  };
  useSwipeActions(main, isLoaded, showActions);
  const waiting = content === undefined ? undefined : waitingCount(content, remotes);
  const showWaiting = drawer?.showWaiting;
  useEffect(() => {
    // Until the other machines have answered here, the button keeps its own number, which has theirs.
    if (waiting !== undefined && haveAnswered) showWaiting?.(waiting);
  }, [waiting, haveAnswered, showWaiting]);
  const { connection } = host;
  const isAway = useStore(connection?.away ?? present) !== undefined;
  if (content === undefined || waiting === undefined) return <FirstAnswer connection={connection} drawer={drawer} />;
  const view = panelView(host, {
    ...{ content, remotes, askRemotes, stores, isWide, isAway, waiting, goTo, settingsSection, showSettings },
    ...{ showStatus, target },
    reach: () => setTarget(undefined),
    showActions,
  });
  const canSearch = view.canRun("search");
  // A page has one main part.
  const Main = isInDrawer ? "div" : "main";
  const keyDown = (event: KeyboardEvent<HTMLElement>) => {
    const command = commandOf(event, view);
    if (event.key === "Escape" && !isHandledInside(event)) {
      if (place !== "now") goTo("now");
      else if (view.can("panel.hide")) void view.run("panel.hide", undefined);
    } else if (isCommand(event, "k") && event.target instanceof Element) {
      if (showActions(rowOf(event.target))) event.preventDefault();
    } else if (isCommand(event, ",") && placeNamed(host, "settings") !== undefined) {
      event.preventDefault();
      goTo("settings");
    } else if (command !== undefined) {
      event.preventDefault();
      command();
    } else if (!isInDrawer && crossPanel(event, row)) {
      // In a session's window F6 goes through the regions of the window.
      event.preventDefault();
    } else if (startsSearch(event)) search.current?.focus();
  };
  return (
    <PanelContext value={view}>
      <Tabs.Root
        className="panel"
        data-wide={isWide || undefined}
        data-drawer={isInDrawer || undefined}
        data-away={isAway || undefined}
        value={place}
        onValueChange={(chosen) => {
          const next = placeNamed(host, chosen);
          if (next !== undefined) goTo(next);
        }}
        onKeyDown={keyDown}
      >
        <header className="panel-top">
          {!isInDrawer && <h1 className="visually-hidden">Patchbay</h1>}
          {isWide && <Mark />}
          {place !== "now" && !isWide && (
            <button
              type="button"
              className="icon-button panel-back"
              aria-label={words.panel.back}
              title={words.panel.back}
              onClick={() => goTo("now")}
            >
              <Icon name="left" />
            </button>
          )}
          {(place !== "now" || !canSearch) && !isWide && (
            <p className="panel-place-title" aria-hidden="true">
              {words.panel.tabs[place]}
            </p>
          )}
          {canSearch && (
            <Search
              control={search}
              short={place !== "now" && !isWide}
              stays={isPage || isInDrawer}
              show={setFound}
              setEnter={setEnter}
            />
          )}
          {content.desktop !== undefined && (
            <PauseButton paused={content.desktop.paused} pause={(paused) => void view.run("panel.pause", { paused })} />
          )}
          {drawer !== undefined && <span className="panel-tools">{drawer.tools}</span>}
          {/* Everything that is read stands in a landmark. */}
          {menu !== undefined && <Menu menu={menu} close={() => setMenu(undefined)} />}
        </header>
        <nav className="panel-nav" aria-label={words.panel.parts}>
          <Tabs.List className="panel-places" aria-label={words.panel.parts}>
            {placesOf(host)
              .filter(({ id }) => !(hasWindow && id === "settings"))
              .map(({ id, icon }) => (
                <Tabs.Trigger key={id} value={id} className="panel-place" data-place={id} title={words.panel.tabs[id]}>
                  <PanelIcon name={icon} />
                  <span className="panel-place-name">{words.panel.tabs[id]}</span>
                  {id === "now" && <WaitingBadge count={waiting} />}
                </Tabs.Trigger>
              ))}
          </Tabs.List>
          {hasWindow && (
            <button
              type="button"
              className="panel-place"
              data-place="settings"
              aria-label={words.panel.tabs.settings}
              title={words.panel.tabs.settings}
              onClick={() => goTo("settings")}
            >
              <PanelIcon name="sliders" />
            </button>
          )}
        </nav>
        <Main
          ref={main}
          className="panel-main"
          onKeyDown={moveFocus}
          onFocus={({ target }) => {
            setEnter(target.closest<HTMLElement>("[data-enter]")?.dataset.enter);
            setRow(rowOf(target));
          }}
          onContextMenu={(event) => {
            const { target, clientX: x, clientY: y } = event;
            if (target instanceof Element && showActions(rowOf(target), { x, y })) event.preventDefault();
          }}
        >
          {connection !== undefined && <RelayAwayCard connection={connection} />}
          {found}
          <div className="panel-places-body" hidden={found !== undefined}>
            <Tabs.Content value="now" className="panel-page" tabIndex={-1}>
              <NowPlace />
            </Tabs.Content>
            <Tabs.Content value="sessions" className="panel-page">
              <SessionsTab />
            </Tabs.Content>
            <Tabs.Content value="agents" className="panel-page">
              <LoadedPart>
                <CostsTab />
              </LoadedPart>
            </Tabs.Content>
            <Tabs.Content value="activity" className="panel-page">
              <LoadedPart>
                <ActivityPlace />
              </LoadedPart>
            </Tabs.Content>
            <Tabs.Content value="settings" className="panel-page panel-settings">
              <LoadedPart>
                <SettingsPlace />
              </LoadedPart>
            </Tabs.Content>
          </div>
        </Main>
        <div className="panel-base">
          {place === "now" && !isWide && (
            <>
              {view.can("panel.usage") && <Today />}
              <Here />
            </>
          )}
          <HealthLine />
        </div>
        <Bar
          status={status}
          enter={enter}
          showActions={actionsOn(row) === undefined ? undefined : () => showActions(row)}
          drawerKeys={drawer?.keys}
        />
        <Announcements />
      </Tabs.Root>
    </PanelContext>
  );
}

function PauseButton({ paused, pause }: { readonly paused: boolean; pause(paused: boolean): void }) {
  const label = paused ? words.panel.resume : words.panel.pause;
  return (
    <button
      type="button"
      className="icon-button panel-pause"
      aria-pressed={paused}
      aria-label={label}
      title={label}
      onClick={() => pause(!paused)}
    >
      <PanelIcon name={paused ? "bell-off" : "bell"} />
    </button>
  );
}

function WaitingBadge({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <span className="panel-waits">
      {count}
      <span className="visually-hidden"> {words.panel.badge(count)}</span>
    </span>
  );
}
