import type { MenuItemConstructorOptions } from "electron";
import { counted, type SessionGlance, statusLine } from "./glance.ts";

export interface TrayActions {
  readonly open: (session: string) => void;
  readonly copyId: (session: string) => void;
  readonly showPanel: () => void;
  readonly quit: () => void;
}

/** The tray's menu. Its first line says in words what the icon shows, for those who do not see it. */
export function trayMenu(sessions: readonly SessionGlance[], act: TrayActions): MenuItemConstructorOptions[] {
  return [
    { label: statusLine(sessions), enabled: false },
    { type: "separator" },
    ...sessions.map((session) => sessionItem(session, act)),
    ...(sessions.length === 0 ? [{ label: "No session is open", enabled: false }] : []),
    { type: "separator" },
    { label: "Show panel", click: act.showPanel },
    { label: "Quit Patchbay", click: act.quit },
  ];
}

function sessionItem({ id, name, shells, waiting }: SessionGlance, act: TrayActions): MenuItemConstructorOptions {
  const count = waiting === 0 ? counted(shells, "shell") : `${waiting} waiting, ${counted(shells, "shell")}`;
  return {
    // An ampersand would mark a letter as a shortcut.
    label: `${name.replaceAll("&", "&&")} (${count})`,
    submenu: [
      { label: "Open", click: () => act.open(id) },
      { label: "Copy id", click: () => act.copyId(id) },
    ],
  };
}
