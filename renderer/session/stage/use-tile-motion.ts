import { useEffect, useLayoutEffect, useRef } from "react";
import type { PixelBox } from "./pixels.ts";

/** As `--motion` in tokens.css. */
const MOTION: KeyframeAnimationOptions = { duration: 120, easing: "ease-out" };

export interface PlacedTile {
  readonly box: PixelBox;
  readonly shown: boolean;
  /** The box follows something that moves by itself: the pointer at a divider, or the window's edge. */
  readonly isStill: boolean;
}

/**
 * Shows where a tile went: it has its new place and size at once, so that its terminal is resized once, and is drawn on its
 * way there by a transform. A tile that comes while others are on show fades in. Nothing moves with reduced motion.
 */
export function useTileMotion(element: React.RefObject<HTMLElement | null>, { box, shown, isStill }: PlacedTile): void {
  const before = useRef<PlacedTile>(undefined);
  useLayoutEffect(() => {
    const last = before.current;
    before.current = { box, shown, isStill };
    const { current } = element;
    if (current === null || !shown || isStill || prefersStillness()) return;
    const frames = last === undefined ? [{ opacity: 0 }, { opacity: 1 }] : last.shown && framesFrom(last.box, box);
    if (frames) current.animate(frames, MOTION);
  }, [element, box, shown, isStill]);
}

/** Returns what draws a tile from its old place to its new one; undefined where it has not moved. */
export function framesFrom(from: PixelBox, to: PixelBox): Keyframe[] | undefined {
  const isSame = from.left === to.left && from.top === to.top && from.width === to.width && from.height === to.height;
  if (isSame || to.width === 0 || to.height === 0) return undefined;
  const scale = `scale(${from.width / to.width}, ${from.height / to.height})`;
  return [
    { transformOrigin: "0 0", transform: `translate(${from.left - to.left}px, ${from.top - to.top}px) ${scale}` },
    { transformOrigin: "0 0", transform: "none" },
  ];
}

function prefersStillness(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Returns whether a value has changed since the component was last drawn; true the first time. */
export function useHasChanged(value: unknown): boolean {
  const before = useRef<unknown>(undefined);
  const hasChanged = before.current !== value;
  useEffect(() => {
    before.current = value;
  });
  return hasChanged;
}
