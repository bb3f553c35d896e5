import type { TileKey } from "../protocol/ids.ts";
import type { Layout, Workspace } from "./layout.ts";
import { mostRecent } from "./recency.ts";
import { groupsIn, tilesIn } from "./tree.ts";

/** Returns a sentence for each violated invariant of a workspace; empty if it is valid. Does not check ratios. */
export function invariantViolations({ root, maximized, recent }: Workspace): readonly string[] {
  const tiles = tilesIn(root);
  const violations: string[] = [];
  if (!isPermutation(recent, tiles))
    violations.push("`recent` must name every tile exactly once, and the tree must hold each in one place");
  else violations.push(...frontViolations(root, recent));
  if (maximized !== null && maximized !== recent[0]) violations.push("only the focused tile can be maximized");
  return violations;
}

function isPermutation(some: readonly TileKey[], others: readonly TileKey[]): boolean {
  const wanted = new Set(others);
  return some.length === others.length && new Set(some).size === some.length && some.every((key) => wanted.has(key));
}

function frontViolations(root: Layout | null, recent: readonly TileKey[]): string[] {
  return groupsIn(root)
    .filter(({ tiles, front }) => front !== mostRecent(tiles, recent))
    .map(({ front }) => `tile ${front} is in front of its group without being its most recently focused tile`);
}
