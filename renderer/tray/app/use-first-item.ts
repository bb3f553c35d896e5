import { type RefObject, useEffect, useRef } from "react";
import type { PanelTab } from "../../../preload/channels.ts";
import { firstItem, WAITING_CARD } from "../../ui/first-item.ts";

const FIELD = "input, textarea, select, [contenteditable]";
const CARD = "[data-question]";

/**
 * Gives the focus to the first item of the place that is shown, or to its tab, when nothing else has it: the control that led
 * there may be gone, and keys pressed in the empty page reach no part of the panel. What comes to wait takes the focus from
 * an item that has it without the user's doing, so that digits answer it; never from a field, another card, or an item that
 * the user went to. A receipt is passed over while something waits. In the drawer the keys are a terminal's until the user comes: at first only the drawer itself passes
 * them on.
 *
 * @param place undefined: nothing is shown yet
 */
export function useFirstItem(
  main: RefObject<HTMLElement | null>,
  place: PanelTab | undefined,
  isDrawer: boolean,
): void {
  const isFirst = useRef(true);
  useEffect(() => {
    const root = main.current;
    const panel = root?.closest(".panel");
    if (place === undefined || !root || !panel) return;
    const isPageFree = !isDrawer || !isFirst.current;
    isFirst.current = false;
    /** Has the focus without the user's doing. */
    let given: Element | null = null;
    /** What is about to get it: until then nothing has it, and what took it meanwhile would keep it. */
    let next: EventTarget | null = null;
    /** The panel is shown again: a receipt keeps no focus that what waits needs. */
    let isShownAgain = false;
    const keeps = (element: Element) =>
      element.closest(CARD) !== null && !(isShownAgain && element.closest(WAITING_CARD) === null);
    const focus = () => {
      const { activeElement } = document;
      if (next instanceof Node && next.isConnected) return;
      const item = firstItem(root);
      const isFree = (isPageFree && activeElement === document.body) || activeElement === root.closest("aside");
      const isGiven = given !== null && given === activeElement && !keeps(given);
      if (document.hidden || !(isFree || (isGiven && item?.matches(CARD)))) return;
      given = item ?? panel.querySelector<HTMLElement>("[role=tab][aria-selected=true]");
      if (given instanceof HTMLElement) given.focus({ preventScroll: true });
    };
    const followLoss = ({ relatedTarget }: FocusEvent) => {
      next = relatedTarget;
    };
    const followFocus = ({ target, relatedTarget }: FocusEvent) => {
      next = null;
      // The keys that lead to the drawer lead to its first item.
      const enters = target === firstItem(root) && !(relatedTarget instanceof Node && panel.contains(relatedTarget));
      if (target instanceof Element && target !== given) given = enters ? target : null;
    };
    const followSight = () => {
      const { activeElement } = document;
      // Where the user went is forgotten when the panel is hidden; what is being written is not.
      const stays = activeElement === null || activeElement.matches(FIELD) || !panel.contains(activeElement);
      if (document.hidden && !stays) given = activeElement;
      isShownAgain = true;
      focus();
      isShownAgain = false;
    };
    focus();
    // What the place before showed is taken out after this effect, and with it the focus.
    const frame = requestAnimationFrame(focus);
    const changes = new MutationObserver(focus);
    changes.observe(root, { childList: true, subtree: true });
    // Before the page hears of it, which may change at it.
    document.addEventListener("focusout", followLoss, { capture: true });
    document.addEventListener("focusin", followFocus);
    document.addEventListener("visibilitychange", followSight);
    return () => {
      cancelAnimationFrame(frame);
      changes.disconnect();
      document.removeEventListener("focusout", followLoss, { capture: true });
      document.removeEventListener("focusin", followFocus);
      document.removeEventListener("visibilitychange", followSight);
    };
  }, [main, place, isDrawer]);
}
