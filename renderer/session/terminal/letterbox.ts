interface Size {
  readonly width: number;
  readonly height: number;
}

const MIN_FONT_SIZE = 6;
const STEP = 0.5;
/** Smaller text is hard to read. */
const LEAST_READABLE = 9;
/** Size at which a screen that would be hard to read is drawn in part. */
const READABLE_SIZE = 11;
/** Share of the tile that stays free beside the cursor, so that the next words have room. */
const MARGIN = 0.2;

/**
 * Returns the font size, at most `font`, at which a shell of fixed size fits into the tile. Not below 6 px: smaller text is
 * a pattern.
 * @param cellAt returns the size of a cell at a font size; cells grow in steps of whole device pixels
 */
export function letterboxFont(
  shell: { readonly cols: number; readonly rows: number },
  tile: Size,
  font: number,
  cellAt: (font: number) => Size,
): number {
  // Measuring a font takes long: the sizes are not tried one after the other.
  let fits = Math.max(0, Math.ceil((font - MIN_FONT_SIZE) / STEP));
  for (let least = 0; least < fits; ) {
    const steps = Math.floor((least + fits) / 2);
    const cell = cellAt(font - steps * STEP);
    const isWhole = cell.width * shell.cols <= tile.width && cell.height * shell.rows <= tile.height;
    if (isWhole) fits = steps;
    else least = steps + 1;
  }
  return Math.max(MIN_FONT_SIZE, font - fits * STEP);
}

/** Reports whether a screen that fits at a font size is too small to read. A user who has chosen a small font can. */
export function isTooSmall(fitting: number, font: number): boolean {
  return fitting < Math.min(LEAST_READABLE, font);
}

/** Returns the font size at which a screen is read that is too large for its tile. */
export function readableFont(font: number): number {
  return Math.min(READABLE_SIZE, font);
}

/**
 * Returns how far to scroll, along one axis, so that the cursor is in sight: from the start while that shows the cursor
 * too, because lines are read from their start, else no further than necessary.
 * @param view visible length
 * @param start where the cursor's cell begins; `end`: where it ends
 */
export function scrollToCursor(scroll: number, view: number, start: number, end: number): number {
  const margin = Math.min(view * MARGIN, Math.max(0, (view - (end - start)) / 2));
  if (end + margin <= view) return 0;
  if (start < scroll) return Math.max(0, start - margin);
  return end > scroll + view ? end + margin - view : scroll;
}
