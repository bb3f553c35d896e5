import type { TileKey } from "../protocol/ids.ts";
import type { Layout, Split } from "./layout.ts";
import { tabGroup } from "./recency.ts";
import { changeGroup } from "./tree.ts";

/** The side of a group at which a tile can stand. */
export type Side = "left" | "right" | "up" | "down";

/** Splits the target's group in half and inserts the key as a new group on the given side. */
export function insertBeside(
  layout: Layout,
  { target, key, place }: { readonly target: TileKey; readonly key: TileKey; readonly place: Side },
): Layout | null {
  const added = tabGroup([key], [key]);
  const direction = place === "left" || place === "right" ? "horizontal" : "vertical";
  const before = place === "left" || place === "up";
  return changeGroup(layout, target, (group): Split => {
    const [first, second] = before ? [added, group] : [group, added];
    return { kind: "split", direction, ratio: 0.5, first, second };
  });
}

/** Inserts the key into the target's group, directly after the target. */
export function insertTab(
  layout: Layout,
  { target, key, recent }: { readonly target: TileKey; readonly key: TileKey; readonly recent: readonly TileKey[] },
): Layout | null {
  return changeGroup(layout, target, ({ tiles }) =>
    tabGroup(tiles.toSpliced(tiles.indexOf(target) + 1, 0, key), recent),
  );
}

/** Removes the key; returns null if it was the last tile. The sibling of an emptied group takes its place. */
export function removeTile(layout: Layout, key: TileKey, recent: readonly TileKey[]): Layout | null {
  return changeGroup(layout, key, ({ tiles }) => {
    const rest = tiles.filter((other) => other !== key);
    return rest.length === 0 ? null : tabGroup(rest, recent);
  });
}
