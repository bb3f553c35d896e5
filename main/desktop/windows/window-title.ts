import type { Client } from "../../../core/client/client.ts";
import { describeShell } from "../../../core/protocol/shell-name.ts";
import { shownLine } from "../../../core/protocol/shown-line.ts";
import { shellLabel, workspaceOfWindow } from "../../../core/state/client-state.ts";
import type { WindowSession } from "../sessions/desktop-client.ts";
import { MachineSession } from "../sessions/machine-session.ts";
import { words } from "../words.ts";

/** Of a name in a title: the rest of the title is to be seen as well. */
const LONGEST_NAME = 80;

/**
 * Returns the title of a session's window. A page cannot change it, so it always names the machine.
 *
 * @param own id of the window of a workspace that has one of its own; undefined for the main window
 */
export function titleOf(session: WindowSession, own: number | undefined): string {
  const tile = own === undefined ? undefined : tileName(session.client, own);
  const name = shortened(session.name());
  const title =
    session instanceof MachineSession
      ? words.windows.titleOn(name, shortened(session.ref.machine))
      : words.windows.title(name);
  return tile === undefined ? title : words.windows.titleOfTile(shortened(tile), title);
}

/** Returns what the focused tile of a window is called, as in its header; undefined for one that has no name yet. */
function tileName({ state, mirror }: Client, own: number): string | undefined {
  const { now } = state;
  const tile = now.tiles[now.workspaces[workspaceOfWindow(now, own)]?.recent[0] ?? 0];
  if (tile === undefined) return undefined;
  const { type, id, label, url } = tile;
  if (type === "history") {
    return label ?? words.windows.history(nameOf(mirror, id, shellLabel(now, id)) ?? words.windows.shell(id));
  }
  return (type === "shell" || type === "peek" ? nameOf(mirror, id, label) : undefined) ?? label ?? url;
}

/** Returns what a shell is called, with the label of its tile; undefined for one that the session no longer has. */
function nameOf(mirror: Client["mirror"], id: number, label: string | undefined): string | undefined {
  const shell = mirror?.shells.find((one) => one.id === id);
  if (shell === undefined) return undefined;
  const agent = mirror?.agents.find(({ shellId }) => shellId === shell.id);
  return describeShell(shell, { label, agent, shells: mirror?.shells }).name;
}

function shortened(name: string): string {
  return shownLine(name, LONGEST_NAME);
}
