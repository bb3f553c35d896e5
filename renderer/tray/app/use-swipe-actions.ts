import { type RefObject, useEffect, useRef } from "react";
import { directionOf, type Movement, swipeStep } from "../../session/stage/swipe.ts";
import { actionsOn, rowOf } from "../row-actions.ts";

/** How far a row follows the finger, in CSS pixels. */
const MOST_PX = 64;
/** Where a finger moves something else. */
const OTHERS = "input, textarea, select, .panel-scroll";

/**
 * Shows what can be done with a card or row that one finger swipes to the side. A swipe by itself answers nothing.
 *
 * @param isLoaded whether the element is in the page
 */
export function useSwipeActions(
  main: RefObject<HTMLElement | null>,
  isLoaded: boolean,
  show: (row: Element) => void,
): void {
  const latest = useRef(show);
  latest.current = show;
  useEffect(() => {
    const element = main.current;
    if (!isLoaded || element === null) return;
    const listening = new AbortController();
    let row: HTMLElement | undefined;
    let item: HTMLElement | undefined;
    let from: Movement = { x: 0, y: 0 };
    let way: Movement = from;
    let isAcross = false;
    const rest = () => {
      row?.style.removeProperty("translate");
      row = undefined;
      isAcross = false;
    };
    const on = (type: "touchstart" | "touchmove" | "touchend" | "touchcancel", act: (event: TouchEvent) => void) =>
      element.addEventListener(type, act, { signal: listening.signal, passive: type !== "touchmove" });
    on("touchstart", ({ touches, target }) => {
      rest();
      const [touch] = touches;
      if (touch === undefined || touches.length !== 1 || !(target instanceof Element)) return;
      const touched = rowOf(target);
      if (touched === null || actionsOn(touched) === undefined || target.closest(OTHERS)) return;
      item = touched;
      // All of a row with several controls follows the finger.
      row = touched.closest<HTMLElement>("[data-row]") ?? touched;
      from = { x: touch.clientX, y: touch.clientY };
    });
    on("touchmove", (event) => {
      const [touch] = event.touches;
      if (row === undefined || touch === undefined) return;
      way = { x: touch.clientX - from.x, y: touch.clientY - from.y };
      const direction = isAcross ? "across" : directionOf(way);
      if (direction === "along") return rest();
      if (direction !== "across") return;
      isAcross = true;
      event.preventDefault();
      row.style.setProperty("translate", `${Math.round(Math.max(-MOST_PX, Math.min(MOST_PX, way.x)))}px`);
    });
    on("touchend", () => {
      const swiped = row !== undefined && isAcross && swipeStep(way, row.clientWidth) !== 0 ? item : undefined;
      rest();
      if (swiped !== undefined) latest.current(swiped);
    });
    on("touchcancel", rest);
    return () => {
      listening.abort();
      rest();
    };
  }, [main, isLoaded]);
}
