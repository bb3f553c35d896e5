import type { MenuItemConstructorOptions } from "electron";
import type { HitPlace } from "../../../core/protocol/history-search.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import { shownLine } from "../../../core/protocol/shown-line.ts";
import { type SessionSummary, statusLine } from "../sessions/session-summary.ts";
import { words } from "../words.ts";

/** Of a name or sentence in a label. */
const LONGEST_PART = 80;

export interface TrayActions {
  /** Opens a session with the tile of a shell focused, or at a place that a search has found. */
  readonly open: (session: string, shell?: ShellId, place?: HitPlace) => void;
  readonly copyId: (session: string) => void;
  readonly showPanel: () => void;
  readonly showSettings: () => void;
  /** Opens the panel where logins are answered. */
  readonly showLogins: () => void;
  /** Opens the panel's place for agents and costs. */
  readonly showCosts: () => void;
  readonly pause: (paused: boolean) => void;
  /** Shows the welcome of the first run again. */
  readonly showWelcome: () => void;
  readonly quit: () => void;
}

/** What the menu shows besides the sessions. */
export interface TrayState {
  /** What the agents cost since midnight, for example `$4.18`. */
  readonly costToday: string;
  /** By how much today's budget is exceeded, for example `$2.10`; absent while it is not. */
  readonly overBudget?: string | undefined;
  /** Notifications are paused. */
  readonly paused: boolean;
  /** Names of the programs with a pending login. */
  readonly logins: readonly string[];
  /** Number of open questions on other machines. */
  readonly remoteQuestions: number;
  /** The relay's health problem. */
  readonly trouble: string | undefined;
}

type Beside = Pick<TrayState, "logins" | "overBudget" | "remoteQuestions">;

/** Counts what waits beside the sessions: logins, a budget that is exceeded, and questions on other machines. */
export function requestsBeside({ logins, overBudget, remoteQuestions }: Beside): number {
  return logins.length + (overBudget === undefined ? 0 : 1) + remoteQuestions;
}

export type TrayLook = "trouble" | "waiting" | "working" | "idle";

/** Returns the look of the icon, by urgency: an unhealthy relay may not even know what waits. */
export function lookOf(sessions: readonly SessionSummary[], state: TrayState): TrayLook {
  if (state.trouble !== undefined) return "trouble";
  if (requestsBeside(state) > 0 || sessions.some((session) => session.waiting > 0)) return "waiting";
  return sessions.some((session) => session.working > 0) ? "working" : "idle";
}

/** The tray's menu. Its first line describes the icon for users who cannot see it. */
export function trayMenu(
  sessions: readonly SessionSummary[],
  state: TrayState,
  act: TrayActions,
): MenuItemConstructorOptions[] {
  const waiting = [
    ...state.logins.map((name) => ({ label: escaped(words.tray.login(shortened(name))), click: act.showLogins })),
    ...sessions.flatMap((session) => waitingItems(session, act)),
  ];
  return [
    { label: statusLine(sessions, requestsBeside(state)), enabled: false },
    ...(state.trouble === undefined
      ? []
      : [{ label: escaped(words.tray.trouble(shortened(state.trouble))), enabled: false }]),
    { label: words.tray.costToday(state.costToday), enabled: false },
    ...(state.overBudget === undefined
      ? []
      : [{ label: words.tray.overBudget(state.overBudget), click: act.showCosts }]),
    { type: "separator" },
    ...waiting,
    ...(waiting.length === 0 ? [] : [{ type: "separator" as const }]),
    ...sessions.map((session) => sessionItem(session, act)),
    ...(sessions.length === 0 ? [{ label: words.tray.noSession, enabled: false }] : []),
    { type: "separator" },
    { label: words.tray.showPanel, click: act.showPanel },
    { label: words.tray.settings, click: act.showSettings },
    {
      label: words.tray.pause,
      type: "checkbox",
      checked: state.paused,
      click: () => act.pause(!state.paused),
    },
    { label: words.tray.welcome, click: act.showWelcome },
    { label: words.tray.quit, click: act.quit },
  ];
}

function waitingItems({ id, name, waitingAgents }: SessionSummary, act: TrayActions): MenuItemConstructorOptions[] {
  return waitingAgents.map(({ agentType, shell }) => ({
    label: escaped(words.tray.waits(shortened(agentType), shortened(name))),
    click: () => act.open(id, shell),
  }));
}

function sessionItem(session: SessionSummary, act: TrayActions): MenuItemConstructorOptions {
  const { id, shells, waiting } = session;
  const name = shortened(session.name);
  const label = waiting === 0 ? words.tray.session(name, shells) : words.tray.sessionWaiting(name, waiting, shells);
  return {
    label: escaped(label),
    submenu: [
      { label: words.tray.open, click: () => act.open(id) },
      { label: words.tray.copyId, click: () => act.copyId(id) },
    ],
  };
}

function shortened(text: string): string {
  return shownLine(text, LONGEST_PART);
}

/** Escapes ampersands, which would mark a shortcut letter. */
function escaped(label: string): string {
  return label.replaceAll("&", "&&");
}
