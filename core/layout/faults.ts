import type { TileKey } from "../protocol/ids.ts";
import type { Layout, Workspace } from "./layout.ts";
import { mostRecent } from "./recency.ts";
import { groupsIn, tilesIn } from "./tree.ts";

/** Every promise of a workspace that this value breaks, as sentences; empty when it is sound. Sees no ratios. */
export function faultsOf({ root, maximized, recent }: Workspace): readonly string[] {
  const tiles = tilesIn(root);
  const faults: string[] = [];
  if (!isPermutation(recent, tiles))
    faults.push("`recent` must name every tile exactly once, and the tree must hold each in one place");
  else faults.push(...frontFaults(root, recent));
  if (maximized !== null && maximized !== recent[0]) faults.push("only the focused tile can be maximized");
  return faults;
}

function isPermutation(some: readonly TileKey[], others: readonly TileKey[]): boolean {
  const wanted = new Set(others);
  return some.length === others.length && new Set(some).size === some.length && some.every((key) => wanted.has(key));
}

function frontFaults(root: Layout | null, recent: readonly TileKey[]): string[] {
  return groupsIn(root)
    .filter(({ tiles, front }) => front !== mostRecent(tiles, recent))
    .map(({ front }) => `tile ${front} is in front of its group without being its most recently focused tile`);
}
