import type { MenuItemConstructorOptions } from "electron";
import type { ShellId } from "../../core/protocol/ids.ts";
import { counted, type SessionGlance, statusLine } from "./glance.ts";

export interface TrayActions {
  /** Brings up a session, with the tile of a shell focused. */
  readonly open: (session: string, shell?: ShellId) => void;
  readonly copyId: (session: string) => void;
  readonly showPanel: () => void;
  readonly pause: (paused: boolean) => void;
  readonly quit: () => void;
}

/** What the menu shows besides the sessions. */
export interface TrayState {
  /** What the agents cost since midnight, for example `$4.18`. */
  readonly costToday: string;
  /** Notifications are paused. */
  readonly paused: boolean;
}

/** The tray's menu. Its first line says in words what the icon shows, for those who do not see it. */
export function trayMenu(
  sessions: readonly SessionGlance[],
  state: TrayState,
  act: TrayActions,
): MenuItemConstructorOptions[] {
  const waiting = sessions.flatMap((session) => waitingItems(session, act));
  return [
    { label: statusLine(sessions), enabled: false },
    { label: `${state.costToday} today at list prices`, enabled: false },
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
    { label: "Quit Patchbay", click: act.quit },
  ];
}

function waitingItems({ id, name, waitingAgents }: SessionGlance, act: TrayActions): MenuItemConstructorOptions[] {
  return waitingAgents.map(({ agentType, shell }) => ({
    label: escaped(`${agentType} waits for you in ${name}`),
    click: () => act.open(id, shell),
  }));
}

function sessionItem({ id, name, shells, waiting }: SessionGlance, act: TrayActions): MenuItemConstructorOptions {
  const count = waiting === 0 ? counted(shells, "shell") : `${waiting} waiting, ${counted(shells, "shell")}`;
  return {
    label: escaped(`${name} (${count})`),
    submenu: [
      { label: "Open", click: () => act.open(id) },
      { label: "Copy id", click: () => act.copyId(id) },
    ],
  };
}

/** An ampersand would mark a letter as a shortcut. */
function escaped(label: string): string {
  return label.replaceAll("&", "&&");
}
