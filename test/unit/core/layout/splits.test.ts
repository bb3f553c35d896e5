import { describe, expect, test } from "vitest";
import { toggleMaximize } from "../../../../core/layout/focus.ts";
import { setRatio, toggleDirection } from "../../../../core/layout/splits.ts";
import { key } from "./arbitrary-workspace.ts";
import { beside, leaf, page, stacked } from "./sketch.ts";

const workspace = page(beside(leaf(1), stacked(leaf(2), leaf(3, 4))));

describe("setRatio", () => {
  test("sets the share of first in the parent split of the tile, whichever half it is", () => {
    expect(setRatio(workspace, key(1), 0.3).root).toEqual(beside(leaf(1), stacked(leaf(2), leaf(3, 4)), 0.3));
    expect(setRatio(workspace, key(4), 0.9).root).toEqual(beside(leaf(1), stacked(leaf(2), leaf(3, 4), 0.9)));
  });

  test.each([2, 0.09, 0.91, Number.NaN, Number.NEGATIVE_INFINITY])("refuses the ratio %s", (ratio) => {
    expect(() => setRatio(workspace, key(1), ratio)).toThrow(
      expect.objectContaining({
        code: "invalid_params",
        message: `params.ratio: expected a number from 0.1 to 0.9, got ${ratio}.`,
      }),
    );
  });

  test("refuses a tile that stands alone", () => {
    expect(() => setRatio(page(leaf(1, 2)), key(2), 0.5)).toThrow(expect.objectContaining({ code: "no_split" }));
  });

  test("restores a maximized tile first", () => {
    expect(setRatio(toggleMaximize(workspace, key(1)), key(1), 0.5)).toEqual(workspace);
  });
});

describe("toggleDirection", () => {
  test("flips the parent split of the tile and no other", () => {
    expect(toggleDirection(workspace, key(2)).root).toEqual(beside(leaf(1), beside(leaf(2), leaf(3, 4))));
    expect(toggleDirection(workspace, key(1)).root).toEqual(stacked(leaf(1), stacked(leaf(2), leaf(3, 4))));
  });

  test("refuses a tile that stands alone, and one that is not there", () => {
    expect(() => toggleDirection(page(leaf(1)), key(1))).toThrow(expect.objectContaining({ code: "no_split" }));
    expect(() => toggleDirection(page(leaf(1)), key(2))).toThrow(expect.objectContaining({ code: "unknown_tile" }));
  });
});
