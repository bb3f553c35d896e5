import type { TileKey } from "../protocol/ids.ts";
import { readingOrder } from "./geometry.ts";
import type { Direction, Layout, Workspace } from "./layout.ts";
import { tabGroup } from "./recency.ts";

/**
 * Arranges all groups in reading order in a nearly square grid with at least as many columns as rows. Rows have equal
 * height and differ by at most one group; longer rows come first. Keeps groups, front tabs and focus.
 */
export function resetLayout(workspace: Workspace): Workspace {
  const groups = readingOrder(workspace.root);
  if (groups.length === 0) return workspace;
  const rows = Math.ceil(groups.length / Math.ceil(Math.sqrt(groups.length)));
  return { ...workspace, root: rowsOf(distribute(groups, rows)), maximized: null };
}

/**
 * Builds a grid of equal cells, row by row. Each cell is a tab group with its first tile in front.
 * @throws RangeError unless there are exactly `columns` times `rows` non-empty cells
 */
export function buildGrid(columns: number, rows: number, cells: readonly (readonly TileKey[])[]): Layout {
  if (cells.length !== columns * rows) {
    throw new RangeError(`a grid of ${columns}x${rows} takes ${columns * rows} cells, got ${cells.length}`);
  }
  return rowsOf(
    distribute(
      cells.map((tiles) => tabGroup(tiles, tiles)),
      rows,
    ),
  );
}

function rowsOf(rows: readonly (readonly Layout[])[]): Layout {
  return splitEvenly(
    "vertical",
    rows.map((row) => splitEvenly("horizontal", row)),
  );
}

/** Distributes the items in order over this many rows, whose lengths differ by at most one. */
function distribute<T>(items: readonly T[], rows: number): readonly (readonly T[])[] {
  const short = Math.floor(items.length / rows);
  const longer = items.length % rows;
  return Array.from({ length: rows }, (_, row) => {
    const start = row * short + Math.min(row, longer);
    return items.slice(start, start + short + (row < longer ? 1 : 0));
  });
}

/** Gives all parts equal shares. Halving keeps every ratio between 1/3 and 1/2; a chain of splits would not. */
function splitEvenly(direction: Direction, parts: readonly Layout[]): Layout {
  const [only, second] = parts;
  if (only === undefined) throw new RangeError("a grid needs a cell");
  if (second === undefined) return only;
  const half = Math.floor(parts.length / 2);
  return {
    kind: "split",
    direction,
    ratio: half / parts.length,
    first: splitEvenly(direction, parts.slice(0, half)),
    second: splitEvenly(direction, parts.slice(half)),
  };
}
