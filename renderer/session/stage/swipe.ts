/** How a finger has moved since it came down, in CSS pixels. */
export interface Movement {
  readonly x: number;
  readonly y: number;
}

/** Below this a finger only trembles. */
const DEAD_ZONE = 10;
/** Share of the stage's width that a swipe must cross, and the least of it in pixels. */
const MIN_SHARE = 0.2;
const MIN_DISTANCE = 48;

/** Whether a movement is across the stage, along it (that scrolls), or not to be told yet. */
export function directionOf({ x, y }: Movement): "across" | "along" | undefined {
  if (Math.max(Math.abs(x), Math.abs(y)) < DEAD_ZONE) return undefined;
  return Math.abs(x) > 1.5 * Math.abs(y) ? "across" : "along";
}

/** The tile to go to when the finger leaves: 1 the next, -1 the one before, 0 back to where it was. */
export function swipeStep({ x }: Movement, width: number): -1 | 0 | 1 {
  if (Math.abs(x) < Math.max(MIN_DISTANCE, width * MIN_SHARE)) return 0;
  return x < 0 ? 1 : -1;
}
