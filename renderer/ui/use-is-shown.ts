import { type RefObject, useEffect, useRef } from "react";

/** Returns whether a component is still rendered: what it has begun may end later, and must close nothing then. */
export function useIsShown(): RefObject<boolean> {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}
