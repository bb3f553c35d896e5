import { useEffect } from "react";
import { canPan } from "../terminal/pan.ts";
import { useView } from "../view/view.ts";
import { nextTile } from "./arrange.ts";
import { directionOf, type Movement, swipeStep } from "./swipe.ts";

/** A horizontal swipe switches tiles, and the tile follows the finger; a vertical one scrolls the terminal. */
export function useSwipe(stage: React.RefObject<HTMLElement | null>, enabled: boolean): void {
  const view = useView();
  useEffect(() => {
    const element = stage.current;
    if (!enabled || element === null) return;
    const next = (step: number) => nextTile(view.host.snapshot().state, step);
    const stop = trackSwipe(element, {
      mayStart: () => next(1) !== undefined,
      swiped(step) {
        const key = next(step);
        if (key === undefined) return;
        // Starts the animation of the incoming tile.
        element.dataset.swiped = step > 0 ? "next" : "previous";
        void view.run("focusTile", { key });
      },
    });
    const arrived = () => delete element.dataset.swiped;
    element.addEventListener("animationend", arrived);
    return () => {
      element.removeEventListener("animationend", arrived);
      stop();
    };
  }, [stage, enabled, view]);
}

interface SwipeCallbacks {
  /** Reports whether there is another tile. */
  mayStart(): boolean;
  /** The finger was lifted after a swipe to the next (1) or the previous (-1) tile. */
  swiped(step: -1 | 1): void;
}

/**
 * Tracks one finger on an element. Horizontal movement sets `--swipe` and is hidden from terminals; vertical movement is
 * left to them. Returns a function that stops tracking.
 */
function trackSwipe(element: HTMLElement, { mayStart, swiped }: SwipeCallbacks): () => void {
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
    if (direction === "along" || (!across && direction === "across" && canPan(event.target, way.x))) return rest();
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
