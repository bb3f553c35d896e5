import type { KeyboardEvent } from "react";
import { rowOf } from "../row-actions.ts";

/** Controls and parts in which the arrow keys do something else. */
const OWN_ARROWS = "input, textarea, select, [role=radiogroup], [role=tablist], [role=dialog], dialog, .activity-raw";

/** Lists the cards and rows below `root` that are shown, in their order. */
export function itemsIn(root: Element): readonly HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>("[data-item]")].filter((item) => item.closest("[hidden]") === null);
}

/**
 * Moves the focus with the arrow keys: up and down, Home and End between the cards and rows below `root`, left and right
 * between the answers of a card.
 */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget } = event;
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || !(target instanceof HTMLElement))
    return;
  if (target.closest(OWN_ARROWS) !== null) return;
  const items = itemsIn(currentTarget);
  const item = rowOf(target);
  const at = item === null ? -1 : items.indexOf(item);
  const answers = [...(item?.querySelectorAll<HTMLElement>("[data-option]") ?? [])];
  const answer = answers.indexOf(target);
  const next = {
    ArrowDown: items[at + 1],
    ArrowUp: items[at - 1],
    Home: items[0],
    End: items.at(-1),
    ArrowRight: answers[answer + 1],
    ArrowLeft: answer > 0 ? answers[answer - 1] : (item ?? undefined),
  }[key];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
  item?.scrollIntoView({ block: "nearest" });
  // Of a row with several controls all is shown.
  next.closest("[data-row]")?.scrollIntoView({ block: "nearest" });
  next.scrollIntoView({ block: "nearest" });
}
