import type { ClientRecord, Role } from "../../../core/protocol/records.ts";
import { mayEnd } from "../../../core/protocol/roles.ts";
import type { TileContent } from "../../../core/state/client-state.ts";
import { activeWorkspace, focusOf } from "../../../core/state/client-state.ts";
import type { MenuItem, MenuSection } from "../../ui/menu.tsx";
import { askToType, hasAskedToType } from "../actions/ask-to-type.ts";
import { closeWorkspace } from "../actions/close.ts";
import { findWorkspace } from "../actions/find-workspace.ts";
import { openHistory } from "../actions/open-history.ts";
import { openWindow } from "../actions/own-window.ts";
import { runBinding } from "../actions/run-binding.ts";
import { callDrawer, hasOwnerDrawer } from "../actions/toggle-drawer.ts";
import { chordLabel } from "../keys/chord.ts";
import { type Binding, isAllowed, isMethodAllowed, type ViewAction } from "../keys/keymap.ts";
import { shellActions } from "../shells/shell-actions.ts";
import { shellInfo, tileInfo } from "../view/tile-info.ts";
import type { View } from "../view/view.ts";
import { words } from "../words/index.ts";

/** Number of workspaces or shells that a menu lists; the palette has the others. */
const MAX_LISTED = 8;

/** What readers may do, too: it changes their own screen only. */
const OWN_SCREEN: readonly string[] = ["maximize", "close-tile", "move-to-window", "moveBack"];

/** Returns the menu of a tile's title bar: what can be done with the tile and its shell. */
export function tileMenu(view: View, tile: TileContent): readonly MenuSection[] {
  return filled([
    takeOverItems(view, tile),
    [...bound(view, tile, "rename-tile", words.menu.rename), ...maximizeItems(view, tile)],
    splitItems(view, tile),
    [...moveItems(view, tile), ...windowItems(view, tile)],
    closeItems(view, tile),
  ]);
}

/** Returns the menu of a terminal: what can be done with its text, and with its tile. */
export function terminalMenu(view: View, tile: TileContent): readonly MenuSection[] {
  const terminal = view.terminals.byTile.get(tile.key);
  return filled([
    [
      ...(terminal?.selection() ? bound(view, tile, "copy", words.menu.copy) : []),
      ...(tile.type === "history" ? [] : bound(view, tile, "paste", words.menu.paste)),
      ...bound(view, tile, "select-all", words.menu.selectAll),
      ...bound(view, tile, "search", words.menu.search),
      ...historyItems(view, tile),
    ],
    typeIntoAllItems(view, tile),
    terminal === undefined || terminal.commands.commands.length === 0
      ? []
      : [
          ...bound(view, tile, "copy-output", words.menu.copyOutput),
          ...bound(view, tile, "previous-command", words.menu.previousCommand),
          ...bound(view, tile, "next-command", words.menu.nextCommand),
        ],
    takeOverItems(view, tile),
    splitItems(view, tile),
    [...bound(view, tile, "rename-tile", words.menu.rename), ...maximizeItems(view, tile)],
    windowItems(view, tile),
    closeItems(view, tile),
    bound(view, tile, "settings", words.menu.terminalSettings).map((item) => ({
      ...item,
      ...(view.host.app !== undefined && { run: () => view.host.app?.showSettings("terminal") }),
    })),
  ]);
}

/** Returns the menu of a workspace's tab. */
export function workspaceMenu(view: View, index: number): readonly MenuSection[] {
  const { state } = view.host.snapshot();
  const role = roleOf(view);
  const workspace = state.workspaces[index];
  // Others may be closed while the menu is open: by another program, or as their last shell ends.
  const onIt = (act: (index: number) => unknown) => () => {
    const now = workspace === undefined ? -1 : findWorkspace(view.host.snapshot().state, workspace, state.workspaces);
    return now === -1 ? view.ui.toasts.show("info", words.actions.close.workspaceGone) : act(now);
  };
  const goTo: MenuItem = { label: words.menu.goTo, run: onIt((now) => view.run("switchWorkspace", { index: now })) };
  const rename: MenuItem = {
    label: words.menu.rename,
    run: () => workspace && view.ui.renaming.set({ kind: "workspace", workspace }),
  };
  const close: MenuItem = { label: words.menu.close, run: onIt((now) => closeWorkspace(view, now)) };
  const create: MenuItem = { label: words.menu.newWorkspace, run: () => view.run("createWorkspace", {}) };
  return filled([
    index === state.active ? [] : [goTo],
    workspaceWindowItems(view, index),
    [
      ...(isMethodAllowed("renameWorkspace", role) ? [rename] : []),
      ...(isMethodAllowed("closeWorkspace", role) ? [close] : []),
    ],
    isMethodAllowed("createWorkspace", role) ? [create] : [],
  ]);
}

/** Moves the tiles of a workspace in a window of its own back, or opens the window that it has lost. */
function workspaceWindowItems(view: View, index: number): MenuSection {
  const { windows } = view.host;
  const page = view.host.snapshot().state.workspaces[index];
  const id = page?.window?.id;
  if (id === undefined || windows === undefined) return [];
  const back: MenuItem = { label: words.menu.moveBack, run: () => view.run("moveBack", { tile: page?.recent[0] }) };
  const open: MenuItem = { label: words.menu.openWindow, run: () => openWindow(view, id) };
  return windows.isOpen(id) ? [back] : [open, back];
}

/** Returns the menu of a person: their shells, and what the app knows about them. */
export function personMenu(view: View, { id, name }: ClientRecord): readonly MenuSection[] {
  const snapshot = view.host.snapshot();
  const { following } = view.host;
  const follow: MenuSection =
    following === undefined || id === snapshot.self?.id || id === following.target.get()
      ? []
      : [{ label: words.menu.follow(name), run: () => following.follow(id) }];
  const shells = snapshot.mirror?.shells.filter((shell) => shell.ownerClientId === id && shell.running) ?? [];
  return filled([
    follow,
    shells.slice(0, MAX_LISTED).flatMap((shell): MenuItem[] => {
      const action = shellActions(shell, snapshot)[0];
      if (action === undefined) return [];
      const label = words.menu.shellAction(action.label, shellInfo(shell.id, snapshot).name);
      return [{ label, run: () => action.run(view) }];
    }),
    [
      {
        label: id === snapshot.self?.id ? words.menu.openChat : words.menu.writeTo(name),
        run: () => view.ui.chatOpen.set(true),
      },
    ],
    rolesItems(view),
  ]);
}

/** Leads to the people and their roles: in the app's panel, in a browser in the drawer of the owner. */
function rolesItems(view: View): MenuSection {
  const { app, machine } = view.host;
  if (app === undefined) {
    if (!hasOwnerDrawer(view, view.host.snapshot())) return [];
    return [{ label: words.menu.roles, run: () => callDrawer(view, { kind: "people" }) }];
  }
  return machine === undefined ? [{ label: words.menu.roles, run: () => app.showPanel("sessions") }] : [];
}

function takeOverItems(view: View, tile: TileContent): MenuSection {
  const snapshot = view.host.snapshot();
  const { shell } = tileInfo(tile, snapshot);
  if (shell?.running === true && roleOf(view) === "reader" && !hasAskedToType(snapshot)) {
    return [{ label: words.menu.askToType, run: () => askToType(view) }];
  }
  if (shell === undefined || tile.type !== "peek") return [];
  return shellActions(shell, snapshot)
    .filter(({ kind }) => kind === "take-over" || kind === "ask-to-take-over")
    .map(({ label, run }) => ({ label, run: () => run(view) }));
}

/** The history of the shell that the terminal shows. */
function historyItems(view: View, tile: TileContent): MenuSection {
  const { shell } = tileInfo(tile, view.host.snapshot());
  if (shell === undefined || !isMethodAllowed("openTile", roleOf(view))) return [];
  return [{ label: words.menu.history, run: () => openHistory(view, { shell: shell.id }) }];
}

/** Typing into all shells on show, where there are several, and its end. */
function typeIntoAllItems(view: View, tile: TileContent): MenuSection {
  if (view.ui.typesIntoAll.get()) return bound(view, tile, "type-into-all", words.menu.stopTypingIntoAll);
  const isAlone = activeWorkspace(view.host.snapshot().state).root?.kind !== "split";
  return isAlone ? [] : bound(view, tile, "type-into-all", words.menu.typeIntoAll);
}

/** A maximized tile is put back. */
function maximizeItems(view: View, tile: TileContent): MenuSection {
  const { maximized } = activeWorkspace(view.host.snapshot().state);
  return bound(view, tile, "maximize", maximized === tile.key ? words.menu.restore : words.menu.maximize);
}

function splitItems(view: View, tile: TileContent): MenuSection {
  return [...bound(view, tile, words.keys.splitRight), ...bound(view, tile, words.keys.splitBelow)];
}

function moveItems(view: View, tile: TileContent): MenuSection {
  if (!isMethodAllowed("moveToWorkspace", roleOf(view))) return [];
  const { workspaces } = view.host.snapshot().state;
  const others = workspaces.flatMap(({ name, recent }, index) =>
    recent.includes(tile.key) ? [] : [{ label: moveLabel(name), index }],
  );
  const items: MenuSection = others.map(({ label, index }) => ({
    label,
    run: () => view.run("moveToWorkspace", { tile: tile.key, index }),
  }));
  const more = bound(view, tile, "moveToWorkspace", words.menu.moveToAnother);
  return [...(items.length > MAX_LISTED ? more : items), ...bound(view, tile, "breakTile", words.menu.moveToNew)];
}

/** To a window of its own and back. */
function windowItems(view: View, tile: TileContent): MenuSection {
  const { windows } = view.host;
  if (windows === undefined) return [];
  const { workspaces } = view.host.snapshot().state;
  const page = workspaces.find(({ recent }) => recent.includes(tile.key));
  const isAlone = page?.window !== undefined && page.recent.length === 1;
  return [
    ...(isAlone ? [] : bound(view, tile, "move-to-window", words.menu.moveToWindow)),
    ...(page?.window === undefined ? [] : bound(view, tile, "moveBack", words.menu.moveBack)),
  ];
}

function closeItems(view: View, tile: TileContent): MenuSection {
  const snapshot = view.host.snapshot();
  const { shell } = tileInfo(tile, snapshot);
  const end =
    shell === undefined || snapshot.self === undefined || !mayEnd(shell, snapshot.self)
      ? []
      : bound(view, tile, "end-shell", shell.running ? words.menu.endShell : words.menu.removeShell);
  return [
    ...bound(view, tile, "close-tile", words.menu.closeTile),
    ...end.map((item) => ({ ...item, danger: true as const })),
  ];
}

/**
 * Returns the item of a declared action, with its shortcut, for a tile; none where the role does not allow it.
 * @param wanted an action of the view, a method that has one binding, or a title
 */
function bound(view: View, tile: TileContent, wanted: ViewAction | string, label?: string): MenuSection {
  const { bindings } = view.shortcuts;
  const binding = bindings.find(({ action, title }) =>
    action.kind === "view" ? action.viewAction === wanted : action.method === wanted || title === wanted,
  );
  if (binding === undefined) return [];
  if (!isAllowed(binding.action, roleOf(view)) && !OWN_SCREEN.includes(wanted)) return [];
  const keys = binding.chord === undefined ? undefined : chordLabel(binding.chord, view.shortcuts.mac);
  return [{ label: label ?? binding.title, keys, run: () => runOn(view, tile, binding) }];
}

/** Runs an action on a tile: actions are for the focused one. */
async function runOn(view: View, { key }: TileContent, binding: Binding): Promise<void> {
  if (focusOf(view.host.snapshot().state) !== key) await view.run("focusTile", { key });
  runBinding(view, binding);
}

function roleOf(view: View): Role {
  return view.host.snapshot().self?.role ?? "reader";
}

function moveLabel(name: string): string {
  return /^\d+$/.test(name) ? words.menu.moveToNumbered(name) : words.menu.moveTo(name);
}

function filled(sections: readonly MenuSection[]): readonly MenuSection[] {
  return sections.filter((items) => items.length > 0);
}
