import type { Terminal } from "@xterm/xterm";

/**
 * Calls back with the text that the user has selected with the pointer, when the button is released. What a search or a
 * shortcut selects does not count. Returns an unsubscribe function.
 */
export function onPointerSelection(
  terminal: Pick<Terminal, "getSelection">,
  element: HTMLElement,
  selected: (text: string) => void,
): () => void {
  const { defaultView: window } = element.ownerDocument;
  const listening = new AbortController();
  let pressed = false;
  element.addEventListener("mousedown", ({ button }) => (pressed = button === 0), {
    signal: listening.signal,
    capture: true,
  });
  window?.addEventListener(
    "mouseup",
    ({ button }) => {
      if (!pressed || button !== 0) return;
      pressed = false;
      const text = terminal.getSelection();
      if (text !== "") selected(text);
    },
    { signal: listening.signal, capture: true },
  );
  return () => listening.abort();
}
