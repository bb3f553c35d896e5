import { describe, expect, test } from "vitest";
import { toggleMaximize } from "../../../../core/layout/focus.ts";
import { maxTiles } from "../../../../core/layout/layout.ts";
import { addFirstTile, addTab, splitTile } from "../../../../core/layout/open-tile.ts";
import { emptyWorkspace } from "../../../../core/layout/workspace.ts";
import { key } from "./arbitrary-workspace.ts";
import { beside, leaf, page, stacked } from "./sketch.ts";

const empty = emptyWorkspace("page");

describe("addFirstTile", () => {
  test("fills an empty workspace and has the focus", () => {
    expect(addFirstTile(empty, key(1))).toEqual(page(leaf(1)));
  });

  test("refuses a workspace with tiles", () => {
    expect(() => addFirstTile(page(leaf(1)), key(2))).toThrow(
      expect.objectContaining({ code: "workspace_not_empty", message: expect.stringContaining("split") }),
    );
  });
});

describe("splitTile", () => {
  test("puts the new tile second, in half of the target, with the focus", () => {
    const workspace = page(beside(leaf(1), leaf(2)));
    expect(splitTile(workspace, key(1), key(3), "vertical")).toEqual(
      page(beside(stacked(leaf(1), leaf(3)), leaf(2)), [3, 1, 2]),
    );
  });

  test("leaves the focus where it was when asked to", () => {
    expect(splitTile(page(leaf(1)), key(1), key(2), "horizontal", { focus: false })).toEqual(
      page(beside(leaf(1), leaf(2)), [1, 2]),
    );
  });

  test("halves the whole tab group of the target", () => {
    expect(splitTile(page(leaf(1, 2)), key(2), key(3), "horizontal").root).toEqual(beside(leaf(1, 2), leaf(3)));
  });

  test("restores a maximized tile first", () => {
    const maximized = toggleMaximize(page(beside(leaf(1), leaf(2))), key(1));
    expect(splitTile(maximized, key(2), key(3), "vertical", { focus: false }).maximized).toBeNull();
  });

  test("refuses a target that is not there and names those that are", () => {
    expect(() => splitTile(page(beside(leaf(1), leaf(2))), key(9), key(3), "vertical")).toThrow(
      expect.objectContaining({ code: "unknown_tile", message: "No tile here has the key 9; there are 1, 2." }),
    );
  });

  test("refuses a key that is in use", () => {
    expect(() => splitTile(page(leaf(1)), key(1), key(1), "vertical")).toThrow(
      expect.objectContaining({ code: "invalid_request" }),
    );
  });

  test("refuses more tiles than a workspace holds", () => {
    let full = addFirstTile(empty, key(1));
    for (let next = 2; next <= maxTiles; next += 1) full = splitTile(full, key(next - 1), key(next), "vertical");
    expect(() => splitTile(full, key(1), key(maxTiles + 1), "vertical")).toThrow(
      expect.objectContaining({ code: "limit_reached", message: expect.stringContaining(String(maxTiles)) }),
    );
  });
});

describe("addTab", () => {
  test("opens right after the target, in front and with the focus", () => {
    const { root, recent } = addTab(page(leaf(1, 2)), key(1), key(3));
    expect({ root, recent }).toEqual({ root: { ...leaf(1, 3, 2), front: key(3) }, recent: [3, 1, 2] });
  });

  test("stays behind the front when it may not take the focus", () => {
    const { root, recent } = addTab(page(beside(leaf(1), leaf(2))), key(2), key(3), { focus: false });
    expect({ root, recent }).toEqual({ root: beside(leaf(1), leaf(2, 3)), recent: [1, 2, 3] });
  });
});
