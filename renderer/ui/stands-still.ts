import { type MouseEvent, type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** How long something has to stand still before it can be pressed. */
export const SETTLED_AFTER_MS = 700;
const LOOK_EVERY_MS = 100;

/**
 * Holds presses back that came too early. An element whose buttons decide something can appear, move or be uncovered under
 * a pointer, by the will of the program that asks, and take a press that was meant for what was there before. So it counts
 * none until it has stood where it is, uncovered, for 0.7 s; and each press before begins that time anew, as a user who goes on
 * pressing there still means the other thing. Keys count at once: they go where the user has moved the focus.
 *
 * @returns the attributes of the element around the buttons
 */
export function useStandsStill<E extends HTMLElement>(): {
  readonly ref: RefObject<E | null>;
  readonly "aria-disabled": true | undefined;
  readonly onClickCapture: (event: MouseEvent) => void;
} {
  const ref = useRef<E>(null);
  const stood = useRef({ place: "", since: 0 });
  const [isReady, setIsReady] = useState(false);
  const look = useCallback((isPressed: boolean) => {
    const place = placeOf(ref.current);
    const now = performance.now();
    const stands = place === stood.current.place && now - stood.current.since >= SETTLED_AFTER_MS;
    if (place !== stood.current.place || (isPressed && !stands)) stood.current = { place, since: now };
    setIsReady(stands);
    return stands;
  }, []);
  useEffect(() => {
    look(false);
    const timer = setInterval(() => look(false), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [look]);
  const onClickCapture = useCallback(
    (event: MouseEvent) => {
      const isByKey = event.detail === 0;
      if (isByKey || look(true)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    [look],
  );
  return { ref, "aria-disabled": isReady ? undefined : true, onClickCapture };
}

/** Where an element stands, and whether it is what a pointer in the middle of its visible part meets. */
function placeOf(element: HTMLElement | null): string {
  if (element === null) return "";
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
  const isCovered = !element.contains(document.elementFromPoint(x, y));
  return [left, top, right, bottom, isCovered].join(" ");
}
