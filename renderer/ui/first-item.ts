/** A card that waits for an answer of the user; the others are receipts, or cannot be answered now. */
export const WAITING_CARD = "[data-question][data-waits=true]";

/** Returns the item of the panel that gets the focus first: what waits, before the receipts that may stand above it; none that a search hides. */
export function firstItem(root: ParentNode): HTMLElement | null {
  return (
    root.querySelector<HTMLElement>(WAITING_CARD) ??
    root.querySelector<HTMLElement>("[data-item]:not([hidden], [hidden] *)")
  );
}
