import { once } from "node:events";
import { expect, test } from "vitest";
import { endShellHost } from "../../../support/end-shell-host.ts";
import { freePort } from "../../../support/free-port.ts";
import { runningProcesses } from "../../../support/processes.ts";
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

/** The invites of the session; with a body, makes one first. */
async function invitesOf({ url, session }: ServeProcess, key: string, body?: object): Promise<unknown> {
  const response = await fetch(`${url}/v1/sessions/${session}/invites`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "X-Service-Token": key, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return ((await response.json()) as { result: unknown }).result;
}

test("after kill -9 session, chat, layout, invites and shells are there, with owner, output, token and address", async () => {
  await using lab = await startServeLab();
  const args = ["--client", "--port", String(await freePort())];
  const first = await lab.serve(args);
  const key = await lab.makeKey();
  const before = commandsOf(first, key);
  const { shellId } = await before<{ shellId: number }>("createShell");
  await before("splitShell", { direction: "vertical", focus: false });
  await before("renameTile", { name: "build", key: 1 });
  await before("createWorkspace", { name: "servers", focus: false });
  await before("sendChat", { message: "still here?" });
  const { output: token } = await before<{ output: string }>("runCommand", {
    command: "cd /usr; printf %s $SERVICE_TOKEN",
    wait: true,
  });
  await before("runCommand", { command: "seq 1 100000", wait: true });
  const state = async (commands: ReturnType<typeof commandsOf>) => ({
    chat: await commands("getChat"),
    tree: await commands("getLayoutTree"),
    pages: await commands("getWorkspaces"),
    // What a shell does by itself goes on between the two looks.
    shells: (await commands<object[]>("getShells")).map((shell) => ({
      ...shell,
      process: null,
      commandLine: null,
      activeAt: null,
    })),
    output: await commands("getShellOutput", { id: shellId }),
  });
  await invitesOf(first, key, { role: "writer" });
  const invites = await invitesOf(first, key);
  const kept = await state(before);
  await first.kill();

  const second = await lab.serve(args);
  expect(second.session).toBe(first.session);
  const after = commandsOf(second, key);
  expect(await state(after)).toEqual(kept);
  expect(await invitesOf(second, key)).toEqual(invites);
  expect(invites).toMatchObject([{ role: "writer" }]);
  expect(kept.shells).toMatchObject([{ id: shellId, running: true, cwd: "/usr", ownerClientId: 1 }, { running: true }]);
  expect(second.said()).not.toContain("ended with the last run");
  // The token that the shell's programs have is still good, and dies with the shell.
  const inShell = commandsOf(second, token);
  expect(await inShell("runCommand", { command: "echo $SERVICE_URL", wait: true })).toMatchObject({
    output: `${second.url}\r\n`,
  });
  await after("closeShell", { id: shellId });
  await expect(inShell("getShells")).rejects.toThrow("401");
  expect((await after<{ shellId: number }>("createShell")).shellId).toBeGreaterThan(shellId + 1);
  expect(await second.stop()).toBe(0);
});

test("when the shell host dies too, the next start says which shells ended", async () => {
  await using lab = await startServeLab();
  const first = await lab.serve(["--client"]);
  const key = await lab.makeKey();
  const { shellId } = await commandsOf(first, key)<{ shellId: number }>("createShell");
  const { output: token } = await commandsOf(first, key)<{ output: string }>("runCommand", {
    command: "printf %s $SERVICE_TOKEN",
    wait: true,
  });
  await first.kill();
  await endShellHost(lab.data);
  const second = await lab.serve(["--client"]);
  expect(await commandsOf(second, key)("getShells")).toMatchObject([
    { id: shellId, running: false, pid: null, exitCode: null },
  ]);
  expect(second.said()).toContain("1 shell ended with the last run: 1 (bash)");
  await expect(commandsOf(second, token)("getShells")).rejects.toThrow("401");
});

test("--keep-shells leaves them running when the relay is told to stop; without it they end", async () => {
  await using lab = await startServeLab();
  const first = await lab.serve(["--client", "--keep-shells"]);
  const key = await lab.makeKey();
  await commandsOf(first, key)("createShell");
  const [shell] = await commandsOf(first, key)<{ pid: number }[]>("getShells");
  first.child.kill("SIGTERM");
  await once(first.child, "exit");
  const second = await lab.serve(["--client"], { STARTED_BY: "second" });
  const [same] = await commandsOf(second, key)<{ pid: number }[]>("getShells");
  expect(same).toMatchObject({ pid: shell?.pid, running: true });
  // New shells have the environment of this relay, the old one keeps its own.
  const { key: tile } = await commandsOf(second, key)<{ key: number }>("createShell");
  const startedBy = (where: object) =>
    commandsOf(second, key)("runCommand", { command: "echo by $STARTED_BY", wait: true, ...where });
  expect(await startedBy({ tile })).toMatchObject({ output: "by second\r\n" });
  expect(await startedBy({ tile: 1 })).toMatchObject({ output: "by\r\n" });
  await second.stop();
  expect((await runningProcesses()).map(({ pid }) => pid)).not.toContain(shell?.pid);
});
