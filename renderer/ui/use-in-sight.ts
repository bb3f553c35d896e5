import { type Ref, useEffect, useRef } from "react";

/** Keeps the selected one of a list in sight. */
export function useInSight<E extends HTMLElement>(isSelected: boolean): Ref<E> {
  const element = useRef<E>(null);
  useEffect(() => {
    if (isSelected) element.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  return element;
}
