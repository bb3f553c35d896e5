import type { Direction, Layout, Leaf, Workspace } from "../../../../core/layout/layout.ts";
import { emptyWorkspace, withLayout } from "../../../../core/layout/workspace.ts";
import { key } from "./arbitrary-workspace.ts";

/** A tab group by its numbers, the first one in front. */
export function leaf(...numbers: readonly [number, ...number[]]): Leaf {
  return { kind: "leaf", tiles: numbers.map(key), front: key(numbers[0]) };
}

/** Side by side, in halves unless told otherwise. */
export function beside(first: Layout, second: Layout, ratio = 0.5): Layout {
  return split("horizontal", first, second, ratio);
}

/** One above the other. */
export function stacked(first: Layout, second: Layout, ratio = 0.5): Layout {
  return split("vertical", first, second, ratio);
}

/** A workspace with this tree; the focus history is `recent`, or the order of the tree. */
export function page(root: Layout, recent?: readonly number[]): Workspace {
  const workspace = withLayout(emptyWorkspace("page"), root);
  return recent ? { ...workspace, recent: recent.map(key) } : workspace;
}

function split(direction: Direction, first: Layout, second: Layout, ratio: number): Layout {
  return { kind: "split", direction, ratio, first, second };
}
