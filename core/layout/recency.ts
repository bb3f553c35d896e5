import type { TileKey } from "../protocol/ids.ts";
import type { Leaf } from "./layout.ts";

/** Returns the focus history after `key` received the focus. */
export function promote(recent: readonly TileKey[], key: TileKey): readonly TileKey[] {
  return recent[0] === key ? recent : [key, ...recent.filter((other) => other !== key)];
}

/** Returns the most recently focused of these tiles; undefined if there are none. */
export function mostRecent(tiles: readonly TileKey[], recent: readonly TileKey[]): TileKey | undefined {
  if (tiles.length < 2) return tiles[0];
  const wanted = new Set(tiles);
  return recent.find((key) => wanted.has(key));
}

/** Creates a tab group of at least one tile; the focus history determines the front tab. */
export function tabGroup(tiles: readonly TileKey[], recent: readonly TileKey[]): Leaf {
  const front = mostRecent(tiles, recent);
  if (front === undefined) throw new RangeError("a tab group needs a tile of the focus history");
  return { kind: "leaf", tiles, front };
}
