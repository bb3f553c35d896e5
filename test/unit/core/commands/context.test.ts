import { beforeEach, describe, expect, test } from "vitest";
import { tilesOf } from "../../../../core/layout/workspace.ts";
import { restoreState } from "../../../../core/state/client-state.ts";
import { loneClient } from "./lone-client.ts";

let client: ReturnType<typeof loneClient>;

/** Tiles 1 and 2 show shells 1 and 2, tile 3 a tunnel and has the focus. */
beforeEach(async () => {
  client = loneClient();
  await client.run("createShell");
  await client.run("createShell");
  await client.run("openTile", { type: "tunnel", port: 3000 });
  client.answer = (op, params) => (op === "createShell" ? undefined : [op, params]);
});

describe("the target tile", () => {
  test.each([
    ["the one that is named", { tile: 2 }, undefined, 2],
    ["the one that is named, before the caller's own shell", { tile: 2 }, 1, 2],
    ["that of the shell that the caller sits in", {}, 1, 1],
    ["the focused one, for a call from outside", {}, undefined, 3],
    ["the focused one, where the caller's shell has no tile here", {}, 77, 3],
  ])("%s", async (_what, params, source, key) => {
    expect(await client.run("maximize", params, source)).toEqual({ key, maximized: true });
    expect(client.hit).toEqual({ tile: key });
  });

  test("a named tile that does not exist is never replaced by another", async () => {
    expect(await client.refusal("maximize", { tile: 9 }, 1)).toBe("unknown_tile");
    expect(await client.refusal("focusTile", { key: 9 })).toBe("unknown_tile");
  });

  test("an empty workspace has none", async () => {
    await client.run("createWorkspace");
    expect(await client.refusal("closeTile")).toBe("unknown_tile");
    expect(await client.refusal("focusDirection", { direction: "left" })).toBe("unknown_tile");
  });
});

describe("the target shell", () => {
  test("write-to-shell: the named shell, else the caller's own, never a guess", async () => {
    const written = async (params: object, source?: number) =>
      (await client.run("writeToShell", { data: "x", ...params }, source)) as [string, { shell: number }];
    expect((await written({ id: 2 }, 1))[1].shell).toBe(2);
    expect((await written({}, 1))[1].shell).toBe(1);
    expect(await client.refusal("writeToShell", { data: "x" })).toBe("invalid_params");
    expect(await client.refusal("writeToShell", { id: 9, data: "x" })).toBe("unknown_shell");
  });

  test("run: in the tile's shell, else the caller's, else the focused tile's", async () => {
    const shell = async (params: object, source?: number) =>
      ((await client.run("runCommand", { command: "ls", ...params }, source)) as [string, { shell: number }])[1].shell;
    expect(await shell({ tile: 2 }, 1)).toBe(2);
    expect(await shell({}, 1)).toBe(1);
    expect(await client.refusal("runCommand", { command: "ls" })).toBe("not_a_shell");
    await client.run("focusTile", { key: 2 });
    expect(await shell({})).toBe(2);
  });
});

test("rename-tile sets a label, which is the terminal's name; an empty one takes it off", async () => {
  await client.run("renameTile", { name: "build", key: 1 });
  expect(await client.run("getTerminalNames")).toEqual([
    { id: 1, title: "build" },
    { id: 2, title: "bash 2" },
  ]);
  await client.run("renameTile", { name: "", key: 1 });
  expect(client.state.now.tiles[1]).toEqual({ key: 1, type: "shell", id: 1 });
});

test("closing a tile does not close its shell; closing the last leaves an empty workspace", async () => {
  client.asked.length = 0;
  for (const tile of [1, 2, 3]) await client.run("closeTile", { tile });
  expect(await client.run("getLayoutTree")).toEqual({ kind: "leaf", tiles: [] });
  expect([client.asked, client.mirror.shells.length]).toEqual([[], 2]);
});

test("a tile without a split is rejected", async () => {
  await client.run("createWorkspace");
  await client.run("createShell");
  expect(await client.refusal("setRatio", { ratio: 0.3 })).toBe("no_split");
  expect(await client.refusal("toggleDirection")).toBe("no_split");
});

test("focus-direction reports at the edge that the focus did not move", async () => {
  await client.run("focusTile", { key: 1 });
  expect(await client.run("focusDirection", { direction: "left" })).toEqual({ key: 1, moved: false });
  expect(await client.run("focusDirection", { direction: "right" })).toMatchObject({ moved: true });
});

test("tiles are swapped and moved between workspaces", async () => {
  await client.run("createWorkspace");
  await client.run("createShell");
  await client.run("swapTiles", { keyA: 1, keyB: 4 });
  expect(keysOf(0)).toContain(4);
  expect(keysOf(1)).toEqual([1]);
  await client.run("moveTile", { key: 4, target: 1, place: "right" });
  expect(keysOf(1)).toEqual([1, 4]);
  await client.run("moveTile", { key: 2, target: 1, place: "tab" });
  expect(keysOf(1)).toEqual([1, 2, 4]);
  expect(restoreState(JSON.parse(JSON.stringify(client.state.now)))).toBeDefined();
});

test("the last tile of a workspace can be swapped or moved out of it", async () => {
  await client.run("createWorkspace");
  await client.run("createShell");
  await client.run("moveTile", { key: 4, target: 1 });
  expect(keysOf(1)).toEqual([]);
  expect(restoreState(JSON.parse(JSON.stringify(client.state.now)))).toBeDefined();
});

test("move-to-workspace takes a tile to an empty workspace and to one with tiles, which it shows if asked to", async () => {
  await client.run("createWorkspace", { name: "logs", focus: false });
  expect(await client.run("moveToWorkspace", { index: 1, tile: 2 })).toEqual({ key: 2, workspace: 1 });
  expect(client.hit).toEqual({ tile: 2 });
  expect(client.state.now.active).toBe(0);
  expect(await client.run("moveToWorkspace", { name: "logs", focus: true }, 1)).toEqual({ key: 1, workspace: 1 });
  expect(client.state.now.active).toBe(1);
  expect(client.state.now.workspaces.map((workspace) => tilesOf(workspace).toSorted())).toEqual([[3], [1, 2]]);
  expect(await client.run("getLayout")).toContainEqual({ key: 1, type: "shell", active: true });
  expect(restoreState(JSON.parse(JSON.stringify(client.state.now)))).toEqual(client.state.now);
  expect(await client.refusal("moveToWorkspace", { index: 1, tile: 2 })).toBe("invalid_request");
  expect(await client.refusal("moveToWorkspace", { index: 7, tile: 2 })).toBe("unknown_workspace");
  expect(await client.refusal("moveToWorkspace", { name: "none", tile: 2 })).toBe("unknown_workspace");
  expect(await client.refusal("moveToWorkspace", { tile: 2 })).toBe("invalid_params");
});

test("break-tile moves a tile into a workspace of its own and keeps its key", async () => {
  expect(await client.run("breakTile", { tile: 2, name: "apart", focus: false })).toEqual({ key: 2, workspace: 1 });
  expect(keysOf(1)).toEqual([2]);
  expect(client.state.now).toMatchObject({ active: 0 });
  expect(await client.run("breakTile", { tile: 1 })).toEqual({ key: 1, workspace: 2 });
  expect(client.state.now).toMatchObject({ active: 2 });
  expect(restoreState(JSON.parse(JSON.stringify(client.state.now)))).toBeDefined();
});

test("a workspace is found by its name, where only one has it", async () => {
  await client.run("createWorkspace", { name: "servers" });
  await client.run("createWorkspace", { name: "1" });
  expect(await client.run("switchWorkspace", { name: "servers" })).toEqual({ index: 1 });
  expect(await client.refusal("switchWorkspace", { name: "1" })).toBe("invalid_request");
  expect(await client.refusal("switchWorkspace", { name: "nowhere" })).toBe("unknown_workspace");
  expect(await client.refusal("switchWorkspace", {})).toBe("invalid_params");
  expect(await client.refusal("switchWorkspace", { name: "servers", index: 0 })).toBe("invalid_params");
});

test("the focus returns to the previous tile, and cycles through all groups", async () => {
  await client.run("focusTile", { key: 1 });
  await client.run("focusTile", { key: 3 });
  expect(await client.run("focusLast")).toEqual({ key: 1, moved: true });
  expect(await client.run("focusLast")).toEqual({ key: 3, moved: true });
  const turns = [];
  for (let turn = 0; turn < 3; turn++) turns.push(((await client.run("focusTurn")) as { key: number }).key);
  expect(new Set(turns).size).toBe(3);
  expect(turns.at(-1)).toBe(3);
  expect(await client.run("focusTurn", { to: "previous" })).toEqual({ key: turns[1], moved: true });
});

test("a ratio is set, or changed by a delta within its bounds", async () => {
  await client.run("setRatio", { ratio: 0.5, tile: 1 });
  expect(await client.run("setRatio", { delta: 0.1, tile: 1 })).toEqual({ key: 1, ratio: 0.6 });
  expect(await client.run("setRatio", { delta: 0.8, tile: 1 })).toEqual({ key: 1, ratio: 0.9 });
  expect(await client.run("setRatio", { delta: -0.2, tile: 1 })).toEqual({ key: 1, ratio: 0.7 });
  expect(await client.refusal("setRatio", { tile: 1 })).toBe("invalid_params");
  expect(await client.refusal("setRatio", { tile: 1, ratio: 0.5, delta: 0.1 })).toBe("invalid_params");
});

test("listings contain what a tile shows and which one is maximized", async () => {
  await client.run("renameTile", { key: 1, name: "build" });
  await client.run("openTile", { type: "browser", url: "http://a.test/", tile: 2, focus: false });
  await client.run("maximize", { tile: 1 });
  const tiles = (await client.run("getTiles")) as Record<string, unknown>[];
  expect(tiles.find(({ key }) => key === 1)).toMatchObject({ label: "build", title: "bash 1", maximized: true });
  expect(tiles.find(({ type }) => type === "browser")).toMatchObject({ url: "http://a.test/" });
  expect(tiles.filter(({ maximized }) => maximized)).toHaveLength(1);
  const { tiles: places } = (await client.run("getLayoutGeometry")) as { tiles: Record<string, unknown>[] };
  expect(places.find(({ key }) => key === 1)).toMatchObject({ maximized: true, w: 1, h: 1 });
  expect(await client.run("getLayout")).toEqual(tiles.map(({ key, type, active }) => ({ key, type, active })));
  const shells = (await client.run("getShells")) as Record<string, unknown>[];
  expect(shells.find(({ id }) => id === 1)).toMatchObject({ label: "build", tile: 1 });
});

function keysOf(index: number): number[] {
  const workspace = client.state.now.workspaces[index];
  return workspace === undefined ? [] : tilesOf(workspace).toSorted((a, b) => a - b);
}

test("focus-tile switches to the tile's workspace; keys are unique across workspaces", async () => {
  await client.run("createWorkspace");
  expect(await client.run("createShell")).toMatchObject({ key: 4 });
  await client.run("focusTile", { key: 1 });
  expect(await client.run("getWorkspaces")).toMatchObject([{ active: true }, { active: false, tiles: [4] }]);
});

test("workspaces: closing moves the later ones up, and the last one stays, empty", async () => {
  await client.run("createWorkspace", { name: "second" });
  await client.run("createWorkspace", { name: "third", focus: false });
  expect(await client.refusal("closeWorkspace", { index: 0 })).toBe("workspace_not_empty");
  expect(await client.refusal("closeWorkspace", { index: 3 })).toBe("unknown_workspace");
  await client.run("closeWorkspace", { index: 0, force: true });
  expect(await client.run("getWorkspaces")).toMatchObject([
    { index: 0, name: "second", active: true, tiles: [] },
    { index: 1, name: "third", active: false },
  ]);
  expect(client.state.now.tiles).toEqual({});
  await client.run("closeWorkspace", {});
  await client.run("closeWorkspace", {});
  expect(await client.run("getWorkspaces")).toMatchObject([{ index: 0, tiles: [], active: true }]);
});

test("ownership distinguishes own, others' and unowned shells", async () => {
  const own = loneClient({ self: 1 });
  own.addShell({ ownerClientId: 1 as never, owner: "ann" });
  own.addShell({ ownerClientId: 2 as never, owner: "bob" });
  own.addShell();
  expect(await own.run("getOwnership")).toEqual({
    owned: [1],
    others: [{ id: 2, ownerClientId: 2, owner: "bob" }],
    unowned: [3],
  });
});
