import { beforeEach, expect, test } from "vitest";
import { tilesOf } from "../../../../../core/layout/workspace.ts";
import { mainIndex, restoreState } from "../../../../../core/state/client-state.ts";
import { loneClient } from "../lone-client.ts";

let client: ReturnType<typeof loneClient>;

/** Tiles 1, 2 and 3 show shells; the third one has the focus. */
beforeEach(async () => {
  client = loneClient();
  for (let made = 0; made < 3; made++) await client.run("createShell");
});

const pages = () => client.state.now.workspaces.map((workspace) => tilesOf(workspace).toSorted());
const restored = () => restoreState(JSON.parse(JSON.stringify(client.state.now)));

test("a tile goes to a window of its own, and back to where it was", async () => {
  const before = client.state.now.workspaces[0].root;
  expect(await client.run("breakTile", { tile: 1, window: true })).toEqual({ key: 1, workspace: 1 });
  expect(pages()).toEqual([[2, 3], [1]]);
  expect(client.state.now).toMatchObject({ active: 1, main: 0 });
  expect(await client.run("getTiles")).toMatchObject([{ key: 1, active: true }]);
  expect(await client.run("getWorkspaces")).toEqual([
    { index: 0, name: "1", active: false, tiles: expect.arrayContaining([2, 3]) as unknown },
    { index: 1, name: "2", active: true, window: true, tiles: [1] },
  ]);
  expect(restored()).toEqual(client.state.now);
  expect(await client.run("moveBack")).toEqual({ key: 1, workspace: 0 });
  expect(client.state.now.workspaces[0].root).toEqual(before);
  expect(client.state.now).toMatchObject({ active: 0 });
  expect(client.state.now.main).toBeUndefined();
});

test("windows have ids that are never used again", async () => {
  await client.run("breakTile", { tile: 1, window: true });
  const first = client.state.now.workspaces[1]?.window?.id;
  await client.run("moveBack", { tile: 1 });
  await client.run("breakTile", { tile: 1, window: true });
  expect(client.state.now.workspaces[1]?.window?.id).not.toBe(first);
  await client.run("createShell");
  expect(new Set(Object.keys(client.state.now.tiles)).size).toBe(4);
  expect(restored()).toEqual(client.state.now);
});

test("a window goes with its last tile, whoever takes it, and the main window keeps its workspace", async () => {
  await client.run("createWorkspace", { name: "second" });
  await client.run("createShell");
  await client.run("breakTile", { tile: 1, window: true });
  expect(client.state.now).toMatchObject({ active: 2, main: 1 });
  await client.run("closeTile");
  expect(client.state.now).toMatchObject({ active: 1 });
  expect(pages()).toEqual([[2, 3], [4]]);

  await client.run("breakTile", { tile: 2, window: true });
  expect(await client.run("moveToWorkspace", { index: 1, tile: 2 })).toEqual({ key: 2, workspace: 1 });
  expect(pages()).toEqual([[3], [2, 4]]);
  await client.run("breakTile", { tile: 2, window: true });
  expect(await client.run("breakTile", { tile: 2 })).toEqual({ key: 2, workspace: 2 });
  expect(client.state.now.workspaces.every(({ window }) => window === undefined)).toBe(true);
});

test("without its home, a tile goes to an empty workspace, else where there is most room", async () => {
  await client.run("breakTile", { tile: 1, window: true });
  for (const tile of [2, 3]) await client.run("closeTile", { tile });
  expect(await client.run("moveBack", { tile: 1 })).toEqual({ key: 1, workspace: 0 });
  expect(pages()).toEqual([[1]]);

  // Alone in its workspace, it has no home to begin with.
  await client.run("breakTile", { tile: 1, window: true, focus: false });
  await client.run("createShell");
  await client.run("splitShell", { tile: 1, direction: "vertical" });
  const joined = Object.keys(client.state.now.tiles).map(Number);
  await client.run("moveBack", { tile: 1 });
  expect(pages()).toEqual([joined]);
});

test("closing the main window's only workspace leaves an empty one, before those of other windows", async () => {
  await client.run("breakTile", { tile: 1, window: true });
  await client.run("closeWorkspace", { index: 0, force: true });
  expect(pages()).toEqual([[], [1]]);
  expect(client.state.now).toMatchObject({ active: 1, main: 0 });
  expect(restored()).toEqual(client.state.now);
  await client.run("createWorkspace", { name: "other", focus: false });
  await client.run("switchWorkspace", { index: 0 });
  await client.run("closeWorkspace");
  expect(client.state.now.workspaces[mainIndex(client.state.now)]?.name).toBe("other");
});

test("a tile that is alone in a window stays there, and one that is in none is not moved back", async () => {
  await client.run("breakTile", { tile: 1, window: true });
  expect(await client.refusal("breakTile", { tile: 1, window: true })).toBe("invalid_request");
  expect(await client.refusal("moveBack", { tile: 2 })).toBe("invalid_request");
  expect(await client.refusal("moveBack", { tile: 9 })).toBe("unknown_tile");
});

test("a saved state whose windows share an id, or that leaves none for the main window, is not restored", async () => {
  await client.run("breakTile", { tile: 1, window: true });
  await client.run("breakTile", { tile: 2, window: true });
  const { now } = client.state;
  expect(restoreState(now)).toBeDefined();
  const [first, second, third] = now.workspaces;
  const window = second?.window;
  expect(restoreState({ ...now, workspaces: [first, second, { ...third, window }] })).toBeUndefined();
  expect(restoreState({ ...now, workspaces: [{ ...first, window: { id: 3 } }, second, third] })).toBeUndefined();
  expect(restoreState({ ...now, main: 7 })).toBeUndefined();
});
