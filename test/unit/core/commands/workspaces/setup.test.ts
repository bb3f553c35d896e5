import { expect, test } from "vitest";
import { RemoteError } from "../../../../../core/protocol/errors.ts";
import { loneClient } from "../lone-client.ts";

test("cells are filled row by row, and unnamed cells are shells", async () => {
  const client = loneClient();
  const made = await client.run("setup", { grid: "2x2", tiles: "tunnel:3000,browser:http://a.test/" });
  expect(made).toMatchObject({
    key: 1,
    tiles: [
      { key: 1, type: "tunnel", id: 3000 },
      { key: 2, type: "browser" },
      { key: 3, type: "shell", id: 1 },
      { key: 4, type: "shell", id: 2 },
    ],
    shellIds: [1, 2],
  });
  const { tiles } = (await client.run("getLayoutGeometry")) as { tiles: { key: number; x: number; y: number }[] };
  expect(tiles.map(({ key, x, y }) => [key, x, y])).toEqual([
    [1, 0, 0],
    [2, 0.5, 0],
    [3, 0, 0.5],
    [4, 0.5, 0.5],
  ]);
});

test("tabs share a cell, and commands go to the shells in order", async () => {
  const client = loneClient();
  const tiles = "shell:htop+shell,tunnel:3000,shell";
  await client.run("setup", { grid: "3x1", tiles, commands: "echo a,'echo b,c',echo d" });
  expect(client.asked.map(([op, { command }]) => [op, command])).toEqual([
    ["createShell", "htop\necho a"],
    ["createShell", "echo b,c"],
    ["createShell", "echo d"],
  ]);
  expect(await client.run("getTabGroups")).toMatchObject([{ tiles: [1, 2], workspace: 0 }]);
});

test.each([
  [{ grid: "0x1" }, "invalid_params"],
  [{ grid: "99x99" }, "invalid_params"],
  [{ grid: "2" }, "invalid_params"],
  [{ grid: "1x1", tiles: "shell,shell" }, "invalid_params"],
  [{ grid: "1x1", tiles: "tunnel:99999" }, "invalid_params"],
  [{ grid: "1x1", tiles: "hologram" }, "invalid_params"],
  [{ grid: "1x1", tiles: "browser", commands: "ls" }, "invalid_params"],
])("%j changes nothing and starts nothing", async (params, code) => {
  const client = loneClient();
  const before = client.state.now;
  expect(await client.refusal("setup", params)).toBe(code);
  expect([client.asked, client.state.now]).toEqual([[], before]);
});

test("a workspace with tiles needs force, which leaves the old shells running", async () => {
  const client = loneClient();
  await client.run("createShell");
  expect(await client.refusal("setup", { grid: "1x1" })).toBe("workspace_not_empty");
  await client.run("setup", { grid: "1x1", tiles: "browser", force: true });
  expect(await client.run("getTiles")).toMatchObject([{ key: 2, type: "browser" }]);
  expect(client.asked.map(([op]) => op)).toEqual(["createShell"]);
});

test("all or nothing: when a shell cannot start, those before it are closed again", async () => {
  const client = loneClient();
  const before = client.state.now;
  client.answer = (op, { shell }) => {
    if (op === "closeShell") return { id: shell };
    if (client.mirror.shells.length === 2) throw new RemoteError("spawn_failed", "No such folder.");
    return undefined;
  };
  expect(await client.refusal("setup", { grid: "2x2" })).toBe("spawn_failed");
  expect(client.state.now).toBe(before);
  expect(client.asked.filter(([op]) => op === "closeShell").map(([, { shell }]) => shell)).toEqual([1, 2]);
});

test("the tiles come into the workspace that was visible, also when the person has gone to another one meanwhile", async () => {
  const client = loneClient();
  await client.run("createShell");
  await client.run("createWorkspace", {});
  client.answer = (op) => {
    if (op === "createShell") client.state.update((now) => ({ ...now, active: 0 }));
    return undefined;
  };
  await client.run("setup", { grid: "1x1", force: true });
  expect(client.state.now.workspaces.map(({ recent }) => recent)).toEqual([[1], [2]]);
});

test("a workspace that was filled in the meantime is not overwritten", async () => {
  const client = loneClient();
  const both = await Promise.allSettled([
    client.run("setup", { grid: "2x1" }),
    client.run("setup", { grid: "1x1", tiles: "browser" }),
  ]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(await client.run("getTiles")).toMatchObject([{ type: "browser" }]);
  expect(client.asked.map(([op]) => op)).toEqual(["createShell", "createShell", "closeShell", "closeShell"]);
});

test("force replaces the tiles that were there, not those of a workspace that got the index in the meantime", async () => {
  const client = loneClient();
  await client.run("openTile", { type: "browser" });
  await client.run("createWorkspace", {});
  await client.run("openTile", { type: "browser" });
  await client.run("createWorkspace", {});
  await client.run("openTile", { type: "browser" });
  await client.run("switchWorkspace", { index: 1 });
  client.answer = (op, { shell }) => {
    if (op === "closeShell") return { id: shell };
    if (op === "createShell") void client.run("closeWorkspace", { index: 0, force: true });
    return undefined;
  };
  expect(await client.refusal("setup", { grid: "1x1", force: true })).toBe("workspace_not_empty");
  expect(client.state.now.workspaces.map(({ recent }) => recent)).toEqual([[2], [3]]);
  expect(client.asked.map(([op]) => op)).toEqual(["createShell", "closeShell"]);
});
