import { useSyncExternalStore } from "react";

/** From this width on the glance has columns. */
const WIDE = "(min-width: 1000px)";

/** Reports whether the panel has room for columns: in a window of its own, or as a page. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, isWide);
}

function isWide(): boolean {
  return window.matchMedia(WIDE).matches;
}

function subscribe(changed: () => void): () => void {
  const query = window.matchMedia(WIDE);
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
}
