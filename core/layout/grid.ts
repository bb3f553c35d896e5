import type { TileKey } from "../protocol/ids.ts";
import { readingOrder } from "./geometry.ts";
import type { Direction, Layout, Workspace } from "./layout.ts";
import { tabGroup } from "./recency.ts";

/**
 * All groups of the workspace, in reading order, in a grid as near to square as they allow (never fewer columns than
 * rows): rows of equal height, their lengths at most one apart, the longer ones above. Groups, fronts and focus stay.
 */
export function resetLayout(workspace: Workspace): Workspace {
  const groups = readingOrder(workspace.root);
  if (groups.length === 0) return workspace;
  const rows = Math.ceil(groups.length / Math.ceil(Math.sqrt(groups.length)));
  return { ...workspace, root: rowsOf(dealt(groups, rows)), maximized: null };
}

/**
 * A grid of equal cells, filled row by row; each cell is a tab group with its first tile in front. Takes exactly
 * `columns` times `rows` cells, none of them empty: RangeError otherwise.
 */
export function buildGrid(columns: number, rows: number, cells: readonly (readonly TileKey[])[]): Layout {
  if (cells.length !== columns * rows) {
    throw new RangeError(`a grid of ${columns}x${rows} takes ${columns * rows} cells, got ${cells.length}`);
  }
  return rowsOf(
    dealt(
      cells.map((tiles) => tabGroup(tiles, tiles)),
      rows,
    ),
  );
}

function rowsOf(rows: readonly (readonly Layout[])[]): Layout {
  return evenly(
    "vertical",
    rows.map((row) => evenly("horizontal", row)),
  );
}

/** The items dealt out in order to this many rows, at most one apart in length. */
function dealt<T>(items: readonly T[], rows: number): readonly (readonly T[])[] {
  const short = Math.floor(items.length / rows);
  const longer = items.length % rows;
  return Array.from({ length: rows }, (_, row) => {
    const start = row * short + Math.min(row, longer);
    return items.slice(start, start + short + (row < longer ? 1 : 0));
  });
}

/** Equal shares for all parts. Halving keeps every ratio from 1/3 to 1/2, which a chain of splits could not. */
function evenly(direction: Direction, parts: readonly Layout[]): Layout {
  const [only, second] = parts;
  if (only === undefined) throw new RangeError("a grid needs a cell");
  if (second === undefined) return only;
  const half = Math.floor(parts.length / 2);
  return {
    kind: "split",
    direction,
    ratio: half / parts.length,
    first: evenly(direction, parts.slice(0, half)),
    second: evenly(direction, parts.slice(half)),
  };
}
