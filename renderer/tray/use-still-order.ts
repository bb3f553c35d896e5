import { type RefObject, useEffect, useRef, useState } from "react";
import { SETTLED_AFTER_MS } from "../ui/stands-still.ts";

const LOOK_EVERY_MS = 100;

interface StillOrder<E extends HTMLElement> {
  readonly order: readonly string[];
  /** The attributes of the list. */
  readonly list: {
    readonly ref: RefObject<E | null>;
    readonly onPointerEnter: () => void;
    readonly onPointerLeave: () => void;
  };
}

/**
 * Keeps the rows of a list where they are while the pointer is over it or one of them has the focus, and for 0.7 s after:
 * a row that moves takes the press that was meant for another one, and loses the focus. New rows are last until then.
 *
 * @param wanted ids of the rows, in the order that they are to have
 */
export function useStillOrder<E extends HTMLElement>(wanted: readonly string[]): StillOrder<E> {
  const [shown, setShown] = useState(wanted);
  const list = useRef<E>(null);
  const hasPointer = useRef(false);
  const latest = useRef(wanted);
  latest.current = wanted;
  const order = [...shown.filter((id) => wanted.includes(id)), ...wanted.filter((id) => !shown.includes(id))];
  const isDue = order.join() !== wanted.join();
  useEffect(() => {
    // A panel that is hidden under the pointer is not told that the pointer has left.
    const forget = () => {
      if (document.hidden) hasPointer.current = false;
    };
    document.addEventListener("visibilitychange", forget);
    return () => document.removeEventListener("visibilitychange", forget);
  }, []);
  useEffect(() => {
    if (!isDue) return;
    let freeSince = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      // Asked and not followed by events: a focused row that is removed tells nobody that it lost the focus.
      if (hasPointer.current || list.current?.contains(document.activeElement) === true) freeSince = now;
      else if (now - freeSince >= SETTLED_AFTER_MS) setShown(latest.current);
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isDue]);
  return {
    order,
    list: {
      ref: list,
      onPointerEnter: () => {
        hasPointer.current = true;
      },
      onPointerLeave: () => {
        hasPointer.current = false;
      },
    },
  };
}
