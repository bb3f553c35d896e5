import { expect, test } from "vitest";
import { loneClient } from "../lone-client.ts";

test("in a shell, its own tile is split, also while an empty workspace is visible", async () => {
  const client = loneClient();
  await client.run("createShell");
  await client.run("createWorkspace", {});
  await client.run("splitShell", {}, 1);
  expect(client.state.now.workspaces.map(({ recent }) => recent.length)).toEqual([2, 0]);
  await client.run("splitShell");
  // Its new shell has the focus.
  expect(client.state.now.workspaces.map(({ recent }) => recent.length)).toEqual([3, 0]);
});

test("in an empty workspace the new shell fills it", async () => {
  const client = loneClient();
  await client.run("splitShell");
  expect(client.state.now.workspaces.map(({ recent }) => recent.length)).toEqual([1]);
});
