import { type MouseEvent, type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** How long something has to stand still before it can be pressed. */
export const SETTLED_AFTER_MS = 700;
const LOOK_EVERY_MS = 100;

/**
 * Holds presses back that came too early. An element whose buttons decide something can appear, move or be uncovered under
 * a pointer, by the will of the program that asks, and take a press that was meant for what was there before. So it counts
 * none until it has stood where it is, uncovered, for 0.7 s; and each press before begins that time anew, as a user who goes on
 * pressing there still means the other thing. A press that is held back moves no focus either, so keys count at once: they
 * go where the user has moved the focus.
 *
 * @param isWatched whether presses decide something now
 * @returns the attributes of the element around the buttons
 */
export function useStandsStill<E extends HTMLElement>(
  isWatched = true,
): {
  readonly ref: RefObject<E | null>;
  readonly "aria-disabled": true | undefined;
  readonly onMouseDownCapture: (event: MouseEvent) => void;
  readonly onClickCapture: (event: MouseEvent) => void;
} {
  const ref = useRef<E>(null);
  const stood = useRef({ place: "", since: 0 });
  const [isReady, setIsReady] = useState(false);
  const look = useCallback((isPressed: boolean) => {
    const { place, isVisible } = placeOf(ref.current);
    const now = performance.now();
    const stands = isVisible && place === stood.current.place && now - stood.current.since >= SETTLED_AFTER_MS;
    if (!isVisible || place !== stood.current.place || (isPressed && !stands)) stood.current = { place, since: now };
    setIsReady(stands);
    return stands;
  }, []);
  useEffect(() => {
    if (!isWatched) return;
    stood.current.place = "";
    look(false);
    const timer = setInterval(() => look(false), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [look, isWatched]);
  const holdBack = useCallback(
    (event: MouseEvent) => {
      const isByKey = event.detail === 0;
      if (isByKey || !isWatched || look(true)) return;
      event.preventDefault();
      if (event.type === "click") event.stopPropagation();
    },
    [look, isWatched],
  );
  const notYet = isReady ? undefined : true;
  return { ref, "aria-disabled": notYet, onMouseDownCapture: holdBack, onClickCapture: holdBack };
}

/** Where an element stands, and whether a pointer in the middle of its visible part meets it on a page that is shown. */
function placeOf(element: HTMLElement | null): { readonly place: string; readonly isVisible: boolean } {
  if (element === null) return { place: "", isVisible: false };
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const visible = { left: Math.max(left, 0), top: Math.max(top, 0), right, bottom };
  // What the page itself cuts is cut at the window, below: its box may be out of sight where the window scrolls.
  for (let box = element.parentElement; box !== null && box !== document.body; box = box.parentElement) {
    if (getComputedStyle(box).overflow === "visible") continue;
    const edge = box.getBoundingClientRect();
    visible.left = Math.max(visible.left, edge.left);
    visible.top = Math.max(visible.top, edge.top);
    visible.right = Math.min(visible.right, edge.right);
    visible.bottom = Math.min(visible.bottom, edge.bottom);
  }
  const x = (visible.left + Math.min(visible.right, innerWidth)) / 2;
  const y = (visible.top + Math.min(visible.bottom, innerHeight)) / 2;
  const pointed = document.elementFromPoint(x, y);
  const isVisible = document.visibilityState === "visible" && (pointed === null || element.contains(pointed));
  return { place: [left, top, right, bottom].join(" "), isVisible };
}
