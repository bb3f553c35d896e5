import { z } from "zod";
import type { TileKey } from "../protocol/ids.ts";
import { readingOrder } from "./geometry.ts";
import type { Direction, Layout, Leaf, Workspace } from "./layout.ts";
import { tabGroup } from "./recency.ts";

/**
 * The shapes that the groups of a workspace can be laid out in. `grid`: nearly square, with at least as many columns as
 * rows; rows have equal height and differ by at most one group, longer rows come first. `main-left` and `main-top`: the
 * focused group large at that side, the others beside each other on the rest.
 */
export const LayoutShape = z.enum(["grid", "columns", "rows", "main-left", "main-top"]);
export type LayoutShape = z.infer<typeof LayoutShape>;

/** Share of the main group in the shapes that have one. */
const MAIN = 0.6;

/** Lays all groups out in reading order in a shape. Keeps groups, front tabs and focus. */
export function resetLayout(workspace: Workspace, shape: LayoutShape = "grid"): Workspace {
  const groups = readingOrder(workspace.root);
  if (groups.length === 0) return workspace;
  return { ...workspace, root: shaped(groups, shape, workspace.recent[0]), maximized: null };
}

function shaped(groups: readonly Leaf[], shape: LayoutShape, focus: TileKey | undefined): Layout {
  switch (shape) {
    case "grid":
      return rowsOf(distribute(groups, Math.ceil(groups.length / Math.ceil(Math.sqrt(groups.length)))));
    case "columns":
      return splitEvenly("horizontal", groups);
    case "rows":
      return splitEvenly("vertical", groups);
    case "main-left":
      return besideMain(groups, "horizontal", focus);
    case "main-top":
      return besideMain(groups, "vertical", focus);
  }
}

function besideMain(groups: readonly Leaf[], direction: Direction, focus: TileKey | undefined): Layout {
  const first = groups.find(({ tiles }) => tiles.some((key) => key === focus)) ?? groups[0];
  const others = groups.filter((group) => group !== first);
  if (first === undefined || others.length === 0) return splitEvenly(direction, groups);
  const second = splitEvenly(direction === "horizontal" ? "vertical" : "horizontal", others);
  return { kind: "split", direction, ratio: MAIN, first, second };
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
