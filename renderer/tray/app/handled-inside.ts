import type { KeyboardEvent } from "react";

/** Reports whether Escape is handled inside the page: by an input method, a form, a dialog, or a search with text. */
export function isHandledInside({ defaultPrevented, nativeEvent, target }: KeyboardEvent): boolean {
  const search = target instanceof HTMLInputElement && target.type === "search" && target.value !== "";
  return nativeEvent.isComposing || defaultPrevented || search || document.querySelector("dialog[open]") !== null;
}
