/** A rectangle in whole CSS pixels of the stage, origin top left. */
export interface PixelBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels between tiles, and between them and the edge of the stage. */
export const GAP = 6;

/** Height of a tile's title bar, as `--bar` in tokens.css. */
export const BAR = 30;

/** Pixels of a tile's share of the stage that its terminal does not get: gap, border, bar, padding and scroll bar. */
export const TILE_INSET: Size = { width: GAP + 2 + 10 + 14, height: GAP + 2 + BAR + 8 };

/** Converts a rectangle of fractions to pixels. Neighbours are always exactly `GAP` apart. */
export function pixelBox(
  box: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number },
  stage: Size,
): PixelBox {
  const left = cut(box.left, stage.width) + GAP / 2;
  const top = cut(box.top, stage.height) + GAP / 2;
  return {
    left,
    top,
    width: Math.max(0, cut(box.right, stage.width) - GAP / 2 - left),
    height: Math.max(0, cut(box.bottom, stage.height) - GAP / 2 - top),
  };
}

/** Converts a fraction of the stage's inner length to a pixel; the outer margin is half a gap wider. */
export function cut(fraction: number, length: number): number {
  return GAP / 2 + Math.round(fraction * Math.max(0, length - GAP));
}
