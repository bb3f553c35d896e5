import type { KeyboardEvent } from "react";
import { itemsIn } from "../now/move-focus.ts";
import { actionsOn, keysLabel, rowOf } from "../row-actions.ts";
import type { PanelView } from "../use-panel.ts";
import { targets } from "../use-target.ts";

/** Parts that have every key while they are open. */
const MODAL = "[role=dialog], [role=menu], dialog";
/** Parts in which letters are typed, or choose something. */
const TYPES = `input, textarea, select, ${MODAL}`;

/** Reports whether a key begins a search: a letter or a slash, while no text field, list, menu or dialog takes it. */
export function startsSearch({ key, ctrlKey, altKey, metaKey, target, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented || ctrlKey || altKey || metaKey || !/^[\p{L}/]$/u.test(key)) return false;
  return target instanceof Element && target.closest(TYPES) === null;
}

/** Reports whether a key is pressed with the one for commands: Ctrl, or ⌘ on a Mac. */
export function isCommand({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent, wanted: string): boolean {
  return key.toLowerCase() === wanted && ctrlKey !== metaKey && !altKey && !shiftKey;
}

/**
 * Returns what a key for a command leads to: a new session, an invite, the budgets. Undefined: nothing, and in a text field,
 * which has such keys of its own.
 */
export function commandOf(event: KeyboardEvent, panel: PanelView): (() => unknown) | undefined {
  const { target } = event;
  if (!(target instanceof Element) || target.closest(TYPES) !== null) return undefined;
  const { canRun, goTo } = panel;
  if (isCommand(event, "n") && canRun("createSession")) return () => goTo("sessions", { item: targets.newSession });
  if (isCommand(event, "b") && canRun("setBudgets")) {
    return () => goTo("settings", { section: "agents", setting: "budgetDay" });
  }
  return isCommand(event, "i") ? inviteFrom(target, panel) : undefined;
}

/** Returns the way to invite others to the session of a row; elsewhere to the only session, or to where one is chosen. */
function inviteFrom(element: Element, { content, can, goTo }: PanelView): (() => unknown) | undefined {
  if (!can("panel.invite")) return undefined;
  const lines = actionsOn(rowOf(element))?.sections.flat();
  const line = lines?.find(({ keys }) => keys === keysLabel("Command+I"));
  if (line !== undefined) return () => line.run();
  const [session, other] = content.sessions;
  return session === undefined || other !== undefined
    ? () => goTo("sessions")
    : () => goTo("sessions", { item: targets.invite(session.id) });
}

/**
 * Moves the focus by F6 from the cards and rows to the places, and back. Returns whether the key does that.
 *
 * @param row the card or row that had the focus last
 */
export function crossPanel(event: KeyboardEvent, row: Element | null): boolean {
  const { key, ctrlKey, altKey, metaKey, currentTarget, target } = event;
  if (key !== "F6" || ctrlKey || altKey || metaKey) return false;
  if (!(target instanceof Element) || target.closest(MODAL) !== null) return false;
  const isAtPlaces = target.closest(".panel-nav") !== null;
  const items = itemsIn(currentTarget);
  const next = isAtPlaces
    ? (items.find((item) => item === row) ?? items[0])
    : currentTarget.querySelector<HTMLElement>(".panel-nav [role=tab][aria-selected=true]");
  next?.focus();
  return true;
}
