import { mayChangeRoles } from "../../../core/protocol/waiting.ts";
import { DRAWER } from "../view/keyboard-focus.ts";
import type { SessionSnapshot } from "../view/session-host.ts";
import type { View } from "../view/view.ts";

/** Reports whether the drawer is for the user of a view: the session's owner, where the page can have it. */
export function hasDrawer({ host }: View, { mirror, self }: SessionSnapshot): boolean {
  return host.drawer !== undefined && mirror !== undefined && mayChangeRoles(mirror.clients, self);
}

/** Leads to what waits in the drawer, and from the drawer back to the terminal; one that lies over the tiles closes then. */
export function toggleDrawer(view: View): void {
  const { ui, keyboard, host } = view;
  if (!hasDrawer(view, host.snapshot())) return;
  const drawer = document.querySelector(DRAWER);
  if (drawer?.contains(document.activeElement)) {
    leaveDrawer(view);
    return;
  }
  ui.drawerOpen.set(true);
  ui.drawerCalls.set(ui.drawerCalls.get() + 1);
  keyboard.focusDrawer();
}

/** Gives the keys back to the focused tile, and closes a drawer that lies over the tiles. */
export function leaveDrawer({ ui, keyboard }: View): void {
  if (document.querySelector(`${DRAWER}[data-docked]`) === null) ui.drawerOpen.set(false);
  keyboard.focusTile();
}
