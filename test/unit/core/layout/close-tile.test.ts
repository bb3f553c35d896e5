import { expect, test } from "vitest";
import { closeTile } from "../../../../core/layout/close-tile.ts";
import { toggleMaximize } from "../../../../core/layout/focus.ts";
import { emptyWorkspace } from "../../../../core/layout/workspace.ts";
import { key } from "./arbitrary-workspace.ts";
import { beside, leaf, page, stacked } from "./sketch.ts";

test("lets the sibling take the place, and focuses its most recently focused tile", () => {
  const workspace = page(beside(leaf(1), stacked(leaf(2), leaf(3))), [1, 3, 2]);
  expect(closeTile(workspace, key(1))).toEqual(page(stacked(leaf(2), leaf(3)), [3, 2]));
});

test("prefers the sibling to another tile that was focused more recently", () => {
  const workspace = page(beside(leaf(1), stacked(leaf(2), leaf(3))), [3, 1, 2]);
  expect(closeTile(workspace, key(3)).recent).toEqual([2, 1]);
});

test("brings the most recently used other tab to the front, with the focus if the closed one had it", () => {
  const workspace = page(beside(leaf(1, 2, 3), leaf(4)), [1, 4, 3, 2]);
  expect(closeTile(workspace, key(1))).toEqual(page(beside({ ...leaf(2, 3), front: key(3) }, leaf(4)), [3, 4, 2]));
});

test("leaves the focus alone when another tile is closed", () => {
  const workspace = page(beside(leaf(1, 2), leaf(3)), [3, 1, 2]);
  expect(closeTile(workspace, key(1))).toEqual(page(beside(leaf(2), leaf(3)), [3, 2]));
});

test("leaves an empty workspace after the last tile", () => {
  expect(closeTile(page(leaf(1)), key(1))).toEqual(emptyWorkspace("page"));
});

test("restores a maximized tile, also when another one is closed", () => {
  const maximized = toggleMaximize(page(beside(leaf(1), leaf(2))), key(1));
  expect(closeTile(maximized, key(2))).toEqual(page(leaf(1)));
});

test("refuses a tile that is not there", () => {
  expect(() => closeTile(emptyWorkspace("page"), key(7))).toThrow(
    expect.objectContaining({ code: "unknown_tile", message: "No tile here has the key 7; the workspace is empty." }),
  );
});
