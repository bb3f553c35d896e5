import { RemoteError } from "../protocol/errors.ts";
import type { TileKey } from "../protocol/ids.ts";
import type { Side } from "./insert.ts";
import { type Home, type Layout, maxTiles, type Workspace } from "./layout.ts";
import { tabGroup } from "./recency.ts";
import { changeGroup, groupOf, parentOf, tilesIn } from "./tree.ts";

/** Returns where a tile is, so that it can be put back there; undefined for one that is alone. */
export function homeOf(root: Layout | null, key: TileKey): Home | undefined {
  const group = groupOf(root, key);
  if (group === null) return undefined;
  const mates = group.tiles.filter((other) => other !== key);
  if (mates.length > 0) return { kind: "tab", tiles: mates, index: group.tiles.indexOf(key) };
  const split = parentOf(root, key);
  if (split === null) return undefined;
  const { direction, ratio, first, second } = split;
  const isFirst = first === group;
  const tiles = [...tilesIn(isFirst ? second : first)];
  return { kind: "half", tiles, side: sides[direction][isFirst ? 0 : 1], ratio };
}

const sides = { horizontal: ["left", "right"], vertical: ["up", "down"] } as const satisfies Record<
  string,
  readonly [Side, Side]
>;

/**
 * Puts the tiles of another workspace, with their layout, back where they were, and focuses the one that is focused there.
 * What has left their home meanwhile is not missed.
 * @param home has at least one tile in the workspace
 */
export function withTilesBack(workspace: Workspace, from: Workspace, home: Home): Workspace {
  const tiles = home.tiles.filter((key) => workspace.recent.includes(key));
  const [target] = tiles;
  if (workspace.root === null || from.root === null || target === undefined) return workspace;
  if (workspace.recent.length + from.recent.length > maxTiles) {
    throw new RemoteError("limit_reached", `A workspace holds at most ${maxTiles} tiles; close one first.`);
  }
  const recent = [...from.recent, ...workspace.recent];
  const added = from.root;
  const root =
    home.kind === "tab"
      ? changeGroup(workspace.root, target, (group) =>
          tabGroup(group.tiles.toSpliced(home.index, 0, ...tilesIn(added)), recent),
        )
      : changeAround(workspace.root, tiles, (other) => halves(added, other, home));
  return { ...workspace, root, maximized: null, recent };
}

function halves(added: Layout, other: Layout, { side, ratio }: Home & { kind: "half" }): Layout {
  const direction = side === "left" || side === "right" ? "horizontal" : "vertical";
  const [first, second] = side === "left" || side === "up" ? [added, other] : [other, added];
  return { kind: "split", direction, ratio, first, second };
}

/** Applies `change` to the smallest part of the tree that contains all of these tiles. */
function changeAround(layout: Layout, tiles: readonly TileKey[], change: (part: Layout) => Layout): Layout {
  if (layout.kind === "split") {
    for (const half of ["first", "second"] as const) {
      const inside = tilesIn(layout[half]);
      if (tiles.every((key) => inside.includes(key))) {
        return { ...layout, [half]: changeAround(layout[half], tiles, change) };
      }
    }
  }
  return change(layout);
}
