import { expect, test } from "vitest";
import { buildGrid } from "../../../../core/layout/grid.ts";
import { setRatio } from "../../../../core/layout/splits.ts";
import { emptyWorkspace, withLayout } from "../../../../core/layout/workspace.ts";
import { TileKey } from "../../../../core/protocol/ids.ts";

const [a, b, c, d] = [1, 2, 3, 4].map((key) => TileKey.parse(key)) as [TileKey, TileKey, TileKey, TileKey];
const twoByTwo = withLayout(emptyWorkspace("1"), buildGrid(2, 2, [[a], [b], [c], [d]]));

test("a tile of each row identifies the split between the rows of a grid", () => {
  const { root } = setRatio(twoByTwo, a, 0.3, d);
  expect(root).toMatchObject({ kind: "split", direction: "vertical", ratio: 0.3, first: { ratio: 0.5 } });
});

test("two tiles identify the split between them, in either order", () => {
  expect(setRatio(twoByTwo, b, 0.7, a)).toEqual(setRatio(twoByTwo, a, 0.7));
});

test("a tile is not separated from itself", () => {
  expect(() => setRatio(twoByTwo, a, 0.3, a)).toThrow(/no split separates/);
});
