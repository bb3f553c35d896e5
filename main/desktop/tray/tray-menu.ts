import type { MenuItemConstructorOptions } from "electron";
import type { ShellId } from "../../../core/protocol/ids.ts";
import { counted, type SessionSummary, statusLine } from "../sessions/session-summary.ts";

const LONGEST_LABEL = 80;

export interface TrayActions {
  /** Opens a session with the tile of a shell focused. */
  readonly open: (session: string, shell?: ShellId) => void;
  readonly copyId: (session: string) => void;
  readonly showPanel: () => void;
  /** Opens the panel's People tab, where logins are answered. */
  readonly showPeople: () => void;
  /** Opens the panel's Agents tab. */
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
  /** The relay's health problem. */
  readonly trouble: string | undefined;
}

/** Counts what waits besides the sessions' requests: logins, and a budget that is exceeded. */
export function requestsBeside({ logins, overBudget }: Pick<TrayState, "logins" | "overBudget">): number {
  return logins.length + (overBudget === undefined ? 0 : 1);
}

/** The tray's menu. Its first line describes the icon for users who cannot see it. */
export function trayMenu(
  sessions: readonly SessionSummary[],
  state: TrayState,
  act: TrayActions,
): MenuItemConstructorOptions[] {
  const waiting = [
    ...state.logins.map((name) => ({ label: escaped(`${shortened(name)} asks to be let in`), click: act.showPeople })),
    ...sessions.flatMap((session) => waitingItems(session, act)),
  ];
  return [
    { label: statusLine(sessions, requestsBeside(state)), enabled: false },
    ...(state.trouble === undefined
      ? []
      : [{ label: escaped(`Trouble: ${shortened(state.trouble)}`), enabled: false }]),
    { label: `${state.costToday} today at list prices`, enabled: false },
    ...(state.overBudget === undefined
      ? []
      : [{ label: `${state.overBudget} over today's budget`, click: act.showCosts }]),
    { type: "separator" },
    ...waiting,
    ...(waiting.length === 0 ? [] : [{ type: "separator" as const }]),
    ...sessions.map((session) => sessionItem(session, act)),
    ...(sessions.length === 0 ? [{ label: "No session is open", enabled: false }] : []),
    { type: "separator" },
    { label: "Show panel", click: act.showPanel },
    {
      label: "Pause notifications",
      type: "checkbox",
      checked: state.paused,
      click: () => act.pause(!state.paused),
    },
    { label: "Welcome to Patchbay", click: act.showWelcome },
    { label: "Quit Patchbay", click: act.quit },
  ];
}

function waitingItems({ id, name, waitingAgents }: SessionSummary, act: TrayActions): MenuItemConstructorOptions[] {
  return waitingAgents.map(({ agentType, shell }) => ({
    label: escaped(`${agentType} waits for you in ${name}`),
    click: () => act.open(id, shell),
  }));
}

function sessionItem({ id, name, shells, waiting }: SessionSummary, act: TrayActions): MenuItemConstructorOptions {
  const count = waiting === 0 ? counted(shells, "shell") : `${waiting} waiting, ${counted(shells, "shell")}`;
  return {
    label: escaped(`${name} (${count})`),
    submenu: [
      { label: "Open", click: () => act.open(id) },
      { label: "Copy id", click: () => act.copyId(id) },
    ],
  };
}

/** Truncates long labels. */
function shortened(text: string): string {
  return text.length > LONGEST_LABEL ? `${text.slice(0, LONGEST_LABEL - 1)}…` : text;
}

/** Escapes ampersands, which would mark a shortcut letter. */
function escaped(label: string): string {
  return label.replaceAll("&", "&&");
}
