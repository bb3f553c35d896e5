import { directionOf, type Movement, swipeStep } from "./swipe.ts";

interface Swiping {
  /** Whether there is anything to swipe to. */
  mayStart(): boolean;
  /** The finger has left after a swipe to the next tile (1) or the one before (-1). */
  swiped(step: -1 | 1): void;
}

/**
 * Follows one finger over an element: across it, its way is put into `--swipe` and kept from the terminals; along it, it
 * is theirs. Answers how to stop.
 */
export function trackSwipe(element: HTMLElement, { mayStart, swiped }: Swiping): () => void {
  const listening = new AbortController();
  let from: Movement | undefined;
  let way: Movement = { x: 0, y: 0 };
  let across = false;
  const rest = () => {
    from = undefined;
    across = false;
    element.style.removeProperty("--swipe");
  };
  const on = (type: "touchstart" | "touchmove" | "touchend" | "touchcancel", act: (event: TouchEvent) => void) =>
    element.addEventListener(type, act, { signal: listening.signal, capture: true, passive: type !== "touchmove" });

  on("touchstart", ({ touches }) => {
    rest();
    const [touch] = touches;
    if (touch !== undefined && touches.length === 1 && mayStart()) from = { x: touch.clientX, y: touch.clientY };
  });
  on("touchmove", (event) => {
    const [touch] = event.touches;
    if (from === undefined || touch === undefined) return;
    way = { x: touch.clientX - from.x, y: touch.clientY - from.y };
    const direction = across ? "across" : directionOf(way);
    if (direction === "along") rest();
    if (direction !== "across") return;
    across = true;
    event.preventDefault();
    event.stopPropagation();
    element.style.setProperty("--swipe", `${Math.round(way.x)}px`);
  });
  on("touchend", (event) => {
    const step = across ? swipeStep(way, element.clientWidth) : 0;
    if (across) event.stopPropagation();
    rest();
    if (step !== 0) swiped(step);
  });
  on("touchcancel", rest);
  return () => {
    listening.abort();
    rest();
  };
}
