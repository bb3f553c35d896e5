import type { Workspace } from "../../../core/layout/layout.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import { mainIndex, workspaceOfWindow } from "../../../core/state/client-state.ts";
import type { OwnWindows, SessionHost, SessionSnapshot } from "./session-host.ts";

/** Returns the id in the address of a window of its own, `?window=7`; undefined for a main window. */
export function windowIdOf({ search }: Pick<Location, "search">): number | undefined {
  const id = Number(new URLSearchParams(search).get("window") ?? "");
  return Number.isInteger(id) && id > 0 ? id : undefined;
}

/** Whether the view shows a workspace in its place: others are in windows of their own. */
export function isDrawnHere({ windows }: Pick<SessionHost, "windows">, { window }: Workspace): boolean {
  if (windows === undefined) return true;
  if (windows.own !== undefined) return window?.id === windows.own;
  return window === undefined || !windows.isOpen(window.id);
}

/** Whether this view's window tells the user about a shell: that of its tile, else the main one. */
export function isToldHere(host: Pick<SessionHost, "windows" | "snapshot">, shell: ShellId): boolean {
  if (host.windows === undefined) return true;
  const { state } = host.snapshot();
  const shows = ({ recent }: Workspace) =>
    recent.some((key) => state.tiles[key]?.type === "shell" && state.tiles[key].id === shell);
  const pages = state.workspaces.filter(shows);
  if (pages.length === 0) return host.windows.own === undefined;
  return pages.some((page) => isDrawnHere(host, page));
}

/**
 * Returns a session's host as one of its windows sees it: the active workspace is the one that this window shows. A
 * command of the user acts on that one, and what it moves the focus to comes to the front.
 */
export function hostOfWindow(host: SessionHost, document: Pick<Document, "hasFocus">): SessionHost {
  const { windows } = host;
  if (windows === undefined) return host;
  let seen: SessionSnapshot | undefined;
  let shown = host.snapshot();
  const snapshot = () => {
    const now = host.snapshot();
    if (now === seen) return shown;
    seen = now;
    const active = shownIndex(now, windows);
    // A window whose workspace is gone keeps its last picture until it is closed.
    if (active !== -1) shown = active === now.state.active ? now : { ...now, state: { ...now.state, active } };
    return shown;
  };
  const isElsewhere = () => host.snapshot().state.active !== snapshot().state.active;
  const takeFocus = () => host.execute("switchWorkspace", { index: snapshot().state.active });
  return {
    ...host,
    snapshot,
    async execute(method, params, by) {
      const isUsers = by === undefined && document.hasFocus();
      if (isUsers && isElsewhere()) await takeFocus();
      const result = await host.execute(method, params, by);
      if (isUsers && isElsewhere()) windows.show(windowOf(host.snapshot(), windows));
      return result;
    },
    // New shells start with the size of a tile in the main window, and get that of theirs as soon as it is drawn.
    setViewport: (size) => windows.own === undefined && host.setViewport(size),
  };
}

/**
 * Makes the workspace that a window shows the active one whenever the window gets the focus. Returns a function that stops.
 * @param host the session's, and `here` as the window sees it
 */
export function followFocus(
  window: Pick<Window, "addEventListener" | "removeEventListener">,
  host: SessionHost,
  here: SessionHost,
): () => void {
  const focused = () => {
    const { active } = here.snapshot().state;
    if (active !== host.snapshot().state.active) void host.execute("switchWorkspace", { index: active });
  };
  window.addEventListener("focus", focused);
  return () => window.removeEventListener("focus", focused);
}

function shownIndex({ state }: SessionSnapshot, windows: OwnWindows): number {
  if (windows.own !== undefined) return workspaceOfWindow(state, windows.own);
  const active = state.workspaces[state.active];
  return active === undefined || isDrawnHere({ windows }, active) ? state.active : mainIndex(state);
}

/** Returns the id of the window that shows the active workspace; undefined for the main one. */
function windowOf({ state }: SessionSnapshot, windows: OwnWindows): number | undefined {
  const id = state.workspaces[state.active]?.window?.id;
  return id !== undefined && windows.isOpen(id) ? id : undefined;
}
