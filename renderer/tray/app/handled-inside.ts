import type { KeyboardEvent } from "react";

/** Reports whether Escape is handled inside the page: by a form, a dialog, or a search with text. */
export function isHandledInside({ defaultPrevented, target }: KeyboardEvent): boolean {
  const search = target instanceof HTMLInputElement && target.type === "search" && target.value !== "";
  return defaultPrevented || search || document.querySelector("dialog[open]") !== null;
}
