interface Size {
  readonly width: number;
  readonly height: number;
}

const MIN_FONT_SIZE = 8;

/**
 * Returns the font size, at most `font`, at which a shell of fixed size fits into the tile. Not below 8 px: smaller text
 * is unreadable, so the terminal is clipped instead.
 * @param cell size of a cell at `font` pixels
 */
export function letterboxFont(
  shell: { readonly cols: number; readonly rows: number },
  tile: Size,
  { font, cell }: { readonly font: number; readonly cell: Size },
): number {
  const share = Math.min(1, tile.width / (shell.cols * cell.width), tile.height / (shell.rows * cell.height));
  return Math.max(MIN_FONT_SIZE, Math.floor(font * share * 2) / 2);
}
