import { expect, test } from "vitest";
import { type ServeProcess, startServeLab } from "../../../support/start-serve.ts";

function commandsOf({ url, session }: ServeProcess, key: string) {
  return async <T>(method: string, params: object = {}): Promise<T> => {
    const response = await fetch(`${url}/v1/sessions/${session}/remote/command`, {
      method: "POST",
      headers: { "X-Service-Token": key, "Content-Type": "application/json" },
      body: JSON.stringify({ method, params }),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${method}: ${response.status} ${text}`);
    return (JSON.parse(text) as { result: T }).result;
  };
}

test("after kill -9 session, chat and layout are there, and the shells are told as ended", async () => {
  await using lab = await startServeLab();
  const first = await lab.serve(["--client"]);
  const key = await lab.makeKey();
  const before = commandsOf(first, key);
  const { shellId } = await before<{ shellId: number }>("createShell");
  await before("splitShell", { direction: "vertical", focus: false });
  await before("renameTile", { name: "build", key: 1 });
  await before("createWorkspace", { name: "servers", focus: false });
  await before("sendChat", { message: "still here?" });
  const kept = {
    chat: await before("getChat"),
    tree: await before("getLayoutTree"),
    pages: await before("getWorkspaces"),
  };
  await first.kill();

  const second = await lab.serve(["--client"]);
  expect(second.session).toBe(first.session);
  const after = commandsOf(second, key);
  expect({
    chat: await after("getChat"),
    tree: await after("getLayoutTree"),
    pages: await after("getWorkspaces"),
  }).toEqual(kept);
  const ended = { running: false, pid: null, exitCode: null };
  expect(await after("getShells")).toMatchObject([
    { id: shellId, ...ended },
    { id: shellId + 1, ...ended },
  ]);
  expect(await after("getTerminalNames")).toContainEqual({ id: shellId, title: "build" });
  expect(second.said()).toContain("2 shells ended with the last run");
  expect((await after<{ shellId: number }>("createShell")).shellId).toBeGreaterThan(shellId + 1);
  expect(await second.stop()).toBe(0);
});
