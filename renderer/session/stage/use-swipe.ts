import { useEffect } from "react";
import { nextTile } from "../frame/next-tile.ts";
import { useView } from "../view.ts";
import { trackSwipe } from "./track-swipe.ts";

/** One finger across the stage goes from tile to tile, and the tile follows it; along it, the terminal scrolls. */
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
        // The tile that comes slides in from where the finger drew it.
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
