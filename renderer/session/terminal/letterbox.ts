interface Size {
  readonly width: number;
  readonly height: number;
}

const MIN_FONT_SIZE = 8;
const STEP = 0.5;

/**
 * Returns the font size, at most `font`, at which a shell of fixed size fits into the tile. Not below 8 px: smaller text
 * is unreadable, so the terminal is clipped instead.
 * @param cellAt returns the size of a cell at a font size; cells grow in steps of whole device pixels
 */
export function letterboxFont(
  shell: { readonly cols: number; readonly rows: number },
  tile: Size,
  font: number,
  cellAt: (font: number) => Size,
): number {
  for (let size = font; size > MIN_FONT_SIZE; size -= STEP) {
    const cell = cellAt(size);
    if (cell.width * shell.cols <= tile.width && cell.height * shell.rows <= tile.height) return size;
  }
  return MIN_FONT_SIZE;
}
