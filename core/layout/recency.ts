import type { TileKey } from "../protocol/ids.ts";
import type { Leaf } from "./layout.ts";

/** The focus history after `key` got the focus. */
export function promote(recent: readonly TileKey[], key: TileKey): readonly TileKey[] {
  return recent[0] === key ? recent : [key, ...recent.filter((other) => other !== key)];
}

/** Which of these tiles had the focus last; undefined when there is none. */
export function mostRecent(tiles: readonly TileKey[], recent: readonly TileKey[]): TileKey | undefined {
  if (tiles.length < 2) return tiles[0];
  const wanted = new Set(tiles);
  return recent.find((key) => wanted.has(key));
}

/** A tab group of these tiles, which must not be empty, with its front as the focus history says. */
export function tabGroup(tiles: readonly TileKey[], recent: readonly TileKey[]): Leaf {
  const front = mostRecent(tiles, recent);
  if (front === undefined) throw new RangeError("a tab group needs a tile of the focus history");
  return { kind: "leaf", tiles, front };
}
