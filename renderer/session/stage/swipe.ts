/** Movement of a finger since it touched the screen, in CSS pixels. */
export interface Movement {
  readonly x: number;
  readonly y: number;
}

/** Smaller movements are ignored, in CSS pixels. */
const DEAD_ZONE = 10;
/** Minimum length of a swipe: share of the stage's width, and CSS pixels. */
const MIN_SHARE = 0.2;
const MIN_DISTANCE = 48;

/** Returns whether a movement is horizontal (`across`) or vertical (`along`, scrolls); undefined if still too short. */
export function directionOf({ x, y }: Movement): "across" | "along" | undefined {
  if (Math.max(Math.abs(x), Math.abs(y)) < DEAD_ZONE) return undefined;
  return Math.abs(x) > 1.5 * Math.abs(y) ? "across" : "along";
}

/** Returns the step to another tile when the finger is lifted: 1 next, -1 previous, 0 none. */
export function swipeStep({ x }: Movement, width: number): -1 | 0 | 1 {
  if (Math.abs(x) < Math.max(MIN_DISTANCE, width * MIN_SHARE)) return 0;
  return x < 0 ? 1 : -1;
}
