import type { TileKey } from "../protocol/ids.ts";
import { type Box, boxesOf, roundFraction } from "./geometry.ts";
import type { Side } from "./insert.ts";
import type { Workspace } from "./layout.ts";
import { requireGroup } from "./workspace.ts";

/**
 * Returns the front tile of the neighbouring group, or null at the edge of the workspace. Of the groups that share the
 * edge on that side it chooses the one with the longest common stretch, and of equal ones the most recently focused
 * (docs/decisions/0005). Uses the layout's geometry, also while a tile is maximized.
 */
export function neighbour(workspace: Workspace, from: TileKey, side: Side): TileKey | null {
  const own = requireGroup(workspace, from);
  const boxes = boxesOf(workspace.root);
  const box = boxes.find(({ group }) => group === own);
  if (!box) return null;
  const candidates = boxes
    .filter((other) => other !== box && touches(box, other, side))
    .map((other) => ({ front: other.group.front, overlap: overlap(box, other, side) }))
    .filter((candidate) => candidate.overlap > 0);
  const longest = candidates.reduce((most, candidate) => Math.max(most, roundFraction(candidate.overlap)), 0);
  const equals = candidates.filter((candidate) => roundFraction(candidate.overlap) === longest);
  const fronts = new Set(equals.map(({ front }) => front));
  return workspace.recent.find((key) => fronts.has(key)) ?? null;
}

/** Compares exactly: both sides of an edge have the identical coordinate. */
function touches(box: Box, other: Box, side: Side): boolean {
  switch (side) {
    case "left":
      return other.right === box.left;
    case "right":
      return other.left === box.right;
    case "up":
      return other.bottom === box.top;
    case "down":
      return other.top === box.bottom;
  }
}

function overlap(a: Box, b: Box, side: Side): number {
  return side === "left" || side === "right"
    ? Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
    : Math.min(a.right, b.right) - Math.max(a.left, b.left);
}
