interface Size {
  readonly width: number;
  readonly height: number;
}

const MIN_FONT_SIZE = 6;
const STEP = 0.5;

/**
 * Returns the font size, at most `font`, at which a shell of fixed size fits into the tile. Not below 6 px, at
 * which 80 columns fit on a phone, whose user can enlarge them: smaller text is unreadable, so the terminal is clipped.
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
