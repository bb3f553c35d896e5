import { beforeEach, describe, expect, test } from "vitest";
import { loneClient } from "../lone-client.ts";

let client: ReturnType<typeof loneClient>;

/** Shells 1 to 4; 1 is in tile 1, labelled `api`; 4 has ended. */
beforeEach(async () => {
  client = loneClient();
  await client.run("createShell");
  await client.run("renameTile", { name: "api", key: 1 });
  client.answer = (op, params) => [op, params];
  client.mirror.shells.splice(0, 1);
  client.addShell({ title: "vim notes.md", cwd: "/srv/app", process: "vim" });
  client.addShell({ title: "server", cwd: "/srv/app/web", process: "node" });
  client.addShell({ title: "server logs", process: null });
  client.addShell({ title: "build", cwd: "/tmp", running: false, pid: null, exitCode: 1 });
});

describe("match selects the only matching shell", () => {
  test.each<[match: string, id: number]>([
    ["title:vim", 1],
    ["title:notes.*", 1],
    ["title:v*notes", 1],
    ["title:server", 2],
    ["title:logs", 3],
    ["title:build", 4],
    ["label:api", 1],
    ["cwd:/srv/app", 1],
    ["cwd:/web", 2],
    ["process:node", 2],
  ])("%s", async (match, id) => {
    expect(await client.run("getShellOutput", { match })).toMatchObject(["readOutput", { shell: id }]);
    expect(client.hit).toMatchObject({ shell: id });
  });

  test("a running shell takes precedence over an ended one", async () => {
    client.addShell({ title: "build" });
    expect(await client.run("closeShell", { match: "title:build" })).toEqual(["closeShell", { shell: 5 }]);
  });
});

test("an ambiguous match is refused with the candidates, and nothing is written", async () => {
  const wide = client.run("writeToShell", { match: "title:s", data: "x" });
  await expect(wide).rejects.toMatchObject({
    code: "ambiguous_shell",
    message: expect.stringMatching(/Candidates: 1 vim notes\.md, label api, \/srv\/app; 2 server, .*; 3 server logs, /),
  });
});

test.each<[match: string, code: string]>([
  ["title:nothing", "unknown_shell"],
  ["titel:x", "invalid_params"],
  ["constructor:x", "invalid_params"],
  ["title", "invalid_params"],
  ["title:", "invalid_params"],
])("%s: %s", async (match, code) => expect(await client.refusal("closeShell", { match })).toBe(code));

test("id and match together are rejected, and so is neither outside of a shell", async () => {
  expect(await client.refusal("waitFor", { id: 1, match: "title:vim", idle: 1 })).toBe("invalid_params");
  expect(await client.refusal("closeShell", {}, 1)).toBe("invalid_params");
  expect(await client.run("sendKeys", { keys: ["C-c"] }, 1)).toMatchObject(["sendKeys", { shell: 1 }]);
  expect(await client.refusal("sendKeys", { keys: ["C-Lef"] }, 1)).toBe("invalid_params");
});

test("broadcast input goes to all selected shells, or to the visible ones", async () => {
  client.answer = (op, { shell }) => {
    if (shell === 2) throw new Error("it ended");
    return { op };
  };
  expect(await client.run("broadcastInput", { data: "x", match: "title:server" })).toEqual({
    ids: [3],
    failed: [{ id: 2, error: "it ended" }],
  });
  expect(await client.run("broadcastInput", { data: "x" })).toEqual({ ids: [1], failed: [] });
  expect(await client.run("broadcastInput", { data: "x", ids: "3, 1,3" })).toEqual({ ids: [3, 1], failed: [] });
  expect(await client.refusal("broadcastInput", { data: "x", ids: "1,x" })).toBe("invalid_params");
  expect(await client.refusal("broadcastInput", { data: "x", ids: [77] })).toBe("unknown_shell");
  expect(await client.refusal("broadcastInput", { data: "x", match: "title:build" })).toBe("unknown_shell");
});
