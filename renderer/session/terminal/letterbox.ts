import type { Size } from "../stage/pixels.ts";

const SMALLEST_FONT = 8;

/**
 * The font size, at most the user's own, at which a shell of another's size fits the tile whole. Below 8 px it is cut
 * instead, because nobody reads less. `cell`: a cell's size at `font` pixels.
 */
export function letterboxFont(
  shell: { readonly cols: number; readonly rows: number },
  tile: Size,
  { font, cell }: { readonly font: number; readonly cell: Size },
): number {
  const share = Math.min(1, tile.width / (shell.cols * cell.width), tile.height / (shell.rows * cell.height));
  return Math.max(SMALLEST_FONT, Math.floor(font * share * 2) / 2);
}
