import { expect, test } from "vitest";
import type { Workspace } from "../../../../../core/layout/layout.ts";
import type { TileKey } from "../../../../../core/protocol/ids.ts";
import { findWorkspace } from "../../../../../renderer/session/actions/find-workspace.ts";

const workspace = (...keys: number[]): Workspace => ({
  ...{ name: "", root: null, maximized: null },
  recent: keys.map((key) => key as TileKey),
});

test("a workspace is found again by its tiles, and never taken for an empty one or one with other tiles", () => {
  const before = workspace(1, 2);
  const find = (...workspaces: [Workspace, ...Workspace[]]) =>
    findWorkspace({ workspaces }, before, [workspace(), before, workspace(3)]);
  expect(find(workspace(), before)).toBe(1);
  expect(find(workspace(), workspace(3), workspace(2, 4))).toBe(2);
  expect(find(workspace(), workspace(3))).toBe(-1);
});

test("an empty workspace is found again by its name when it has got its first tile", () => {
  const other: Workspace = { ...workspace(2), name: "other" };
  const before = workspace();
  expect(findWorkspace({ workspaces: [other, workspace(1)] }, before, [other, before])).toBe(1);
});

test("an empty workspace is never taken for another one of the same name, with tiles or without", () => {
  const before = workspace();
  const [full, empty] = [workspace(1), workspace()];
  const find = (...workspaces: [Workspace, ...Workspace[]]) =>
    findWorkspace({ workspaces }, before, [full, empty, before]);
  expect(find(full, empty, workspace(5))).toBe(2);
  expect(find(full, empty)).toBe(-1);
  // Another tile was focused there meanwhile.
  expect(find(workspace(2, 1), empty)).toBe(-1);
});
