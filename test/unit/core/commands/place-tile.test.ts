import { expect, test } from "vitest";
import { focusOf, restoreState } from "../../../../core/state/client-state.ts";
import { loneClient } from "./lone-client.ts";

const pixels = { cell: { width: 8, height: 20 }, inset: { width: 32, height: 46 } };
const tree = { kind: "split", ratio: 0.5 };
const leaf = (...tiles: number[]) => expect.objectContaining({ kind: "leaf", tiles });

test("a new shell opens in the largest tile, split along its longer side", async () => {
  const client = loneClient();
  for (const shellId of [1, 2, 3]) expect(await client.run("createShell")).toEqual({ shellId, key: shellId });
  expect(await client.run("getLayoutTree")).toMatchObject({
    ...tree,
    direction: "horizontal",
    first: { ...tree, direction: "vertical", first: leaf(1), second: leaf(3) },
    second: leaf(2),
  });
  expect(client.hit).toEqual({});
});

test("on a small window new shells are stacked before they get fewer than 80 columns", async () => {
  // A stage of 1280x720 px: half of it has 75 columns, once its tile has its edges.
  const client = loneClient({ viewport: { cols: 160, rows: 36, pixels } });
  for (let made = 0; made < 2; made++) await client.run("createShell");
  expect(await client.run("getLayoutTree")).toMatchObject({ ...tree, direction: "vertical" });
  // Twice 15 rows are left; a quarter of the height would have 6.
  await client.run("createShell");
  expect(await client.run("getLayoutTree")).toMatchObject({
    direction: "vertical",
    first: { ...tree, direction: "horizontal", first: leaf(1), second: leaf(3) },
    second: leaf(2),
  });
  expect(client.asked.map(([, { cols, rows }]) => [cols, rows])).toEqual([
    [156, 33],
    [156, 15],
    [76, 15],
  ]);
});

test("on a wide window a tile that has room for it is split side by side first", async () => {
  const client = loneClient({ viewport: { cols: 240, rows: 50, pixels } });
  for (let made = 0; made < 3; made++) await client.run("createShell");
  expect(await client.run("getLayoutTree")).toMatchObject({
    direction: "horizontal",
    first: { direction: "vertical", first: leaf(1), second: leaf(3) },
    second: leaf(2),
  });
});

test("it starts with the size that its tile will have", async () => {
  const client = loneClient();
  await client.run("createShell");
  await client.run("splitShell", { direction: "horizontal" });
  await client.run("splitShell", { direction: "vertical" });
  await client.run("createShell", { tile: false });
  expect(client.asked.map(([, { cols, rows }]) => [cols, rows])).toEqual([
    [160, 48],
    [80, 48],
    [80, 24],
    [undefined, undefined],
  ]);
});

test("a new tile takes the focus, unless it is told not to", async () => {
  const client = loneClient();
  await client.run("createShell");
  await client.run("splitShell", { focus: false });
  const focused = async () => (await client.run("getTiles")) as { key: number; active: boolean }[];
  expect((await focused()).filter(({ active }) => active)).toMatchObject([{ key: 1 }]);
  await client.run("openTile", { type: "browser", tile: 2, place: "tab" });
  expect((await focused()).filter(({ active }) => active)).toMatchObject([{ key: 3 }]);
  expect(await client.run("getTabGroups")).toEqual([{ tiles: [2, 3], active: 3, workspace: 0 }]);
});

test("a split starts in the folder of the shell that is split, unless another is named", async () => {
  const client = loneClient();
  client.addShell({ cwd: "/srv/app" });
  await client.run("openTile", { type: "shell", shell: 1 });
  await client.run("splitShell", { tile: 1 });
  await client.run("splitShell", { tile: 1, cwd: "/tmp" });
  await client.run("openTile", { type: "tunnel", port: 3000 });
  await client.run("splitShell", {});
  expect(client.asked.map(([, { cwd }]) => cwd)).toEqual(["/srv/app", "/tmp", undefined]);
});

test("a split in an empty workspace fills it; an explicit tile is never replaced by another", async () => {
  const client = loneClient();
  expect(await client.refusal("splitShell", { tile: 5 })).toBe("unknown_tile");
  expect(client.asked).toEqual([]);
  expect(await client.run("splitShell")).toEqual({ key: 1, shellId: 1 });
  expect(client.hit).toEqual({ tile: 1, shell: 1 });
});

test("a target that closes while the shell starts does not lose the shell", async () => {
  const client = loneClient();
  await client.run("createShell");
  await client.run("createShell");
  client.answer = () => {
    client.answer = undefined;
    void client.run("closeTile", { tile: 2 });
    return { shell: client.addShell() };
  };
  expect(await client.run("splitShell", { tile: 2 })).toEqual({ key: 3, shellId: 3 });
  expect(await client.run("getTiles")).toMatchObject([{ key: 1 }, { key: 3 }]);
});

test("a history tile is of any shell, also a closed one, and is listed with its place", async () => {
  const client = loneClient();
  await client.run("openTile", { type: "history", shell: 77, offset: 10_240, length: 5 });
  await client.run("openTile", { type: "history", shell: 77 });
  const [first, second] = (await client.run("getTiles")) as readonly object[];
  expect(first).toMatchObject({ key: 1, type: "history", id: 77, offset: 10_240 });
  expect(second).not.toHaveProperty("offset");
  const shown = restoreState(JSON.parse(JSON.stringify(client.state.now)));
  expect(shown?.tiles[1]).toEqual({ key: 1, type: "history", id: 77, offset: 10_240, length: 5 });
});

test("keys are never reused", async () => {
  const client = loneClient();
  await client.run("createShell");
  await client.run("closeTile");
  expect(await client.run("createShell")).toMatchObject({ key: 2 });
  await client.run("setup", { grid: "2x1", tiles: "browser,browser", force: true });
  expect(await client.run("openTile", { type: "browser" })).toEqual({ key: 5 });
});

test("an adopted shell that is already shown gets no second tile", async () => {
  const client = loneClient();
  client.addShell();
  client.answer = () => ({ status: "adopted" });
  await client.run("adoptShell", { id: 1 });
  await client.run("adoptShell", { id: 1 });
  expect(await client.run("getTiles")).toMatchObject([{ key: 1, type: "shell", id: 1 }]);
});

test("an adopted shell takes the tile that watched it, with its name and the focus, and no second one", async () => {
  const client = loneClient();
  client.addShell();
  await client.run("openTile", { type: "peek", shell: 1 });
  await client.run("renameTile", { name: "theirs", key: 1 });
  await client.run("createWorkspace");
  await client.run("openTile", { type: "browser" });
  await client.run("openTile", { type: "peek", shell: 1 });
  await client.run("focusTile", { key: 2 });
  client.answer = () => ({ status: "adopted" });
  await client.run("focusTile", { key: 1 });
  await client.run("adoptShell", { id: 1 });
  expect(Object.values(client.state.now.tiles)).toMatchObject([
    { key: 1, type: "shell", id: 1, label: "theirs" },
    { key: 2, type: "browser" },
  ]);
  expect(focusOf(client.state.now)).toBe(1);
});

test("an adopted shell leaves the focus where it is, in a new tile and in one that watched it, if that is asked", async () => {
  const client = loneClient();
  client.addShell();
  client.addShell();
  await client.run("openTile", { type: "peek", shell: 1 });
  await client.run("openTile", { type: "browser" });
  client.answer = () => ({ status: "adopted" });
  for (const id of [1, 2]) await client.run("adoptShell", { id, focus: false });
  expect(Object.values(client.state.now.tiles)).toMatchObject([
    { key: 1, type: "shell", id: 1 },
    { key: 2, type: "browser" },
    { key: 3, type: "shell", id: 2 },
  ]);
  expect(focusOf(client.state.now)).toBe(2);
  expect(client.asked.filter(([op]) => op === "adoptShell")).toEqual(
    [1, 2].map((shell) => ["adoptShell", { shell, focus: false }]),
  );
});

test.each([
  [{ type: "shell" }, "invalid_params"],
  [{ type: "peek" }, "invalid_params"],
  [{ type: "tunnel" }, "invalid_params"],
  [{ type: "history", offset: 5 }, "invalid_params"],
  [{ type: "browser", place: "instead" }, "invalid_params"],
  [{ type: "browser", place: "instead", tile: 9 }, "unknown_tile"],
  [{ type: "history", shell: 1, offset: -1 }, "invalid_params"],
  [{ type: "shell", shell: 9 }, "unknown_shell"],
  [{ type: "browser", tile: 9 }, "unknown_tile"],
  [{ type: "browser", url: "file:///etc/passwd" }, "invalid_params"],
  [{ type: "browser", url: "javascript:alert(1)" }, "invalid_params"],
])("open-tile %j is refused, and nothing changes", async (params, code) => {
  const client = loneClient();
  const before = client.state.now;
  expect(await client.refusal("openTile", params)).toBe(code);
  expect(client.state.now).toBe(before);
});
