import { useSyncExternalStore } from "react";
import { mayChangeRoles } from "../../../core/protocol/waiting.ts";
import { DRAWER } from "../view/keyboard-focus.ts";
import type { DrawerCall, SessionSnapshot } from "../view/session-host.ts";
import { useSnapshot, useView, type View } from "../view/view.ts";

const subscribeToNothing = () => () => undefined;

/** Reports whether the user of a view has the drawer: the session's owner, or everyone where it shows this session only. */
export function hasDrawer({ host: { drawer } }: View, { mirror, self }: SessionSnapshot): boolean {
  const isForPage = drawer !== undefined && drawer.waiting.get() !== null;
  return isForPage && mirror !== undefined && (drawer.isOfSession === true || mayChangeRoles(mirror.clients, self));
}

/** Reports what `hasDrawer` does, and again when the page learns that its key opens no panel: no snapshot tells that. */
export function useHasDrawer(): boolean {
  const view = useView();
  const waiting = view.host.drawer?.waiting;
  useSyncExternalStore(waiting?.subscribe ?? subscribeToNothing, () => waiting?.get() === null);
  return hasDrawer(view, useSnapshot());
}

/** Reports whether the user has the drawer of the session's owner, which has all places of the panel. */
export function hasOwnerDrawer(view: View, snapshot: SessionSnapshot): boolean {
  return hasDrawer(view, snapshot) && view.host.drawer?.isOfSession !== true;
}

/** Reports whether the user's drawer has the ways to invite others, as that of the session's owner has. */
export function useCanInvite(): boolean {
  const { drawer } = useView().host;
  return useHasDrawer() && drawer?.isOfSession !== true;
}

/** Leads to what waits in the drawer, and from the drawer back to the terminal; one that lies over the tiles closes then. */
export function toggleDrawer(view: View): void {
  if (!hasDrawer(view, view.host.snapshot())) return;
  const drawer = document.querySelector(DRAWER);
  if (drawer?.contains(document.activeElement)) {
    leaveDrawer(view);
    return;
  }
  callDrawer(view, { kind: "waiting" });
}

/** Shows the ways to invite somebody to the session, in the drawer of its owner. */
export function showInvites(view: View): void {
  const snapshot = view.host.snapshot();
  if (snapshot.mirror === undefined || !hasOwnerDrawer(view, snapshot)) return;
  callDrawer(view, { kind: "invites", session: snapshot.mirror.session.id });
}

/** Opens the drawer, and leads to what it is called for. */
export function callDrawer({ ui, keyboard }: View, call: DrawerCall): void {
  ui.drawerOpen.set(true);
  ui.drawerCall.set(call);
  keyboard.focusDrawer();
}

/** Gives the keys back to the focused tile, and closes a drawer that lies over the tiles. */
export function leaveDrawer({ ui, keyboard }: View): void {
  if (document.querySelector(`${DRAWER}[data-docked]`) === null) ui.drawerOpen.set(false);
  keyboard.focusTile();
}
