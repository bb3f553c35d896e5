import { useEffect } from "react";
import { nextTile } from "../frame/next-tile.ts";
import { useView } from "../view.ts";
import { directionOf, type Movement, swipeStep } from "./swipe.ts";

/** One finger across the stage goes from tile to tile, and the tile follows it; along it, the terminal scrolls. */
export function useSwipe(stage: React.RefObject<HTMLElement | null>, enabled: boolean): void {
  const view = useView();
  useEffect(() => {
    const element = stage.current;
    if (!enabled || element === null) return;
    const listening = new AbortController();
    const { signal } = listening;
    let from: Movement | undefined;
    let across = false;
    const rest = () => {
      from = undefined;
      across = false;
      element.style.removeProperty("--swipe");
    };
    const moved = ({ touches }: TouchEvent): Movement => {
      const [touch] = touches;
      return touch === undefined || from === undefined
        ? { x: 0, y: 0 }
        : { x: touch.clientX - from.x, y: touch.clientY - from.y };
    };
    let last: Movement = { x: 0, y: 0 };
    const on = (type: "touchstart" | "touchmove" | "touchend" | "touchcancel", act: (event: TouchEvent) => void) =>
      element.addEventListener(type, act, { signal, capture: true, passive: type !== "touchmove" });

    on("touchstart", ({ touches }) => {
      rest();
      const [touch] = touches;
      const alone = touches.length === 1 && nextTile(view.host.snapshot().state, 1) !== undefined;
      if (alone && touch !== undefined) from = { x: touch.clientX, y: touch.clientY };
    });
    on("touchmove", (event) => {
      if (from === undefined) return;
      last = moved(event);
      const direction = across ? "across" : directionOf(last);
      if (direction === "along") rest();
      if (direction !== "across") return;
      across = true;
      event.preventDefault();
      event.stopPropagation();
      element.style.setProperty("--swipe", `${Math.round(last.x)}px`);
    });
    on("touchend", (event) => {
      const step = across ? swipeStep(last, element.clientWidth) : 0;
      if (across) event.stopPropagation();
      rest();
      const key = step === 0 ? undefined : nextTile(view.host.snapshot().state, step);
      if (key === undefined) return;
      element.dataset.swiped = step > 0 ? "next" : "previous";
      void view.run("focusTile", { key });
    });
    on("touchcancel", rest);
    element.addEventListener("animationend", () => delete element.dataset.swiped, { signal });
    return () => {
      listening.abort();
      rest();
    };
  }, [stage, enabled, view]);
}
