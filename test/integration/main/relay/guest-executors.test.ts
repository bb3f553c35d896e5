import { expect, test } from "vitest";
import type { TileKey } from "../../../../core/protocol/ids.ts";
import { enterAsGuest } from "../../../support/guest.ts";
import type { PuppetClient } from "../../../support/puppet-client.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

/** The commands that a client was asked to execute. */
function executed({ frames }: PuppetClient): string[] {
  return frames.flatMap((frame) => (frame.type === "execute" ? [frame.method] : []));
}

async function outputOf(relay: TestRelay, id: number): Promise<string> {
  return (await relay.command<{ output: string }>("getShellOutput", { id, plain: true })).output;
}

test.each(["reader", "writer", "admin"] as const)(
  "with only a guest of the role %s connected, the relay executes the session's commands",
  async (role) => {
    await using relay = await startTestRelay({ commandTimeoutMs: 5000 });
    using guest = await enterAsGuest(relay, { role });
    const tab = await guest.tab({ clientKind: "desktop", device: "desktop" });
    const { shellId } = await relay.command<{ shellId: number }>("createShell", { command: "cat", tile: false });
    expect(await relay.command("writeToShell", { id: shellId, data: "secret-$((1+1))\\n" })).toMatchObject({
      id: shellId,
    });
    await until("the input's echo", async () => (await outputOf(relay, shellId)).includes("secret-"));
    expect(await relay.command("waitFor", { id: shellId, idle: 20, timeout: 5 })).toMatchObject({ kind: "idle" });
    expect(await relay.command("getShells")).toMatchObject([{ id: shellId }]);
    expect(await relay.command("sendChat", { message: "hello" })).toMatchObject({ from: { name: relay.relay.user } });
    expect(await relay.command("getChat")).toMatchObject([{ text: "hello" }]);
    expect(await relay.command("getClients")).toMatchObject([{ id: tab.id, clientKind: "browser", guest: true, role }]);
    expect(await relay.command("broadcastEvent", { type: "x" })).toEqual({ clients: 1 });
    expect(await relay.command("sendKeys", { id: shellId, keys: ["C-c"] })).toMatchObject({ id: shellId });
    expect(await relay.command("closeShell", { id: shellId })).toEqual({ id: shellId });
    expect(executed(tab)).toEqual([]);
  },
);

test("a guest does not become a desktop by saying so", async () => {
  await using relay = await startTestRelay();
  using guest = await enterAsGuest(relay);
  const tab = await guest.tab({ clientKind: "desktop", device: "desktop" });
  await using desk = await relay.join({ kind: "desktop" });
  const listed = await relay.command<{ id: number; clientKind: string; guest?: true }[]>("getClients");
  expect(listed.map(({ id, clientKind, guest: mark }) => [id, clientKind, mark])).toEqual([
    [tab.id, "browser", true],
    [desk.id, "desktop", undefined],
  ]);
  const answer = await relay.get("chat");
  expect(answer.headers.get("x-service-client")).toBe(String(desk.id));
  expect(executed(tab)).toEqual([]);
});

test("the owner's browser executes the session's commands, however active a guest is", async () => {
  await using relay = await startTestRelay();
  await using page = await relay.join({ kind: "desktop", over: "socket" });
  using guest = await enterAsGuest(relay);
  const tab = await guest.tab();
  tab.say({ type: "ask", id: 1, op: "sendChat", params: { text: "active" } });
  await tab.next("answer");
  const answer = await relay.get("shells");
  expect([answer.status, answer.headers.get("x-service-client")]).toEqual([200, String(page.id)]);
  expect(await relay.command<{ clientKind: string }[]>("getClients")).toMatchObject([
    { clientKind: "browser" },
    { clientKind: "browser" },
  ]);
  expect(executed(tab)).toEqual([]);
});

test("a command for the only screen goes to it though it is a guest's, and what it answers must fit", async () => {
  await using relay = await startTestRelay();
  using guest = await enterAsGuest(relay);
  const tab = await guest.tab();
  for (const target of [undefined, tab.id]) {
    const waiting = relay.post({ method: "getTiles", params: {}, ...(target ? { target_client_id: target } : {}) });
    const { id } = await tab.next("execute");
    tab.say({ type: "result", id, value: [{ key: 1, type: "shell", id: 1, active: "yes" }] });
    const { status, headers } = await waiting;
    expect([status, headers.get("x-service-error")]).toEqual([502, "client_failed"]);
  }
  const split = relay.post({ method: "splitShell", params: { direction: "vertical" } });
  const { id } = await tab.next("execute");
  tab.say({ type: "delegate", id, op: "getAgentSessions", params: {} });
  expect((await split).status).toBe(502);
});

test("a command that needs nothing of a guest's screen is answered by the relay, though it names the guest", async () => {
  await using relay = await startTestRelay();
  using guest = await enterAsGuest(relay, { role: "reader" });
  const tab = await guest.tab();
  const { shellId } = await relay.command<{ shellId: number }>("createShell", { tile: false });
  for (const method of ["getRole", "getOwnership", "getTerminalNames", "getShells", "getSession"]) {
    const { status, headers } = await relay.post({ method, params: {}, target_client_id: tab.id });
    expect([method, status, headers.get("x-service-client")]).toEqual([method, 200, String(tab.id)]);
  }
  expect(await relay.command("getRole", {}, tab.id)).toEqual({ role: "reader" });
  expect(await relay.command("getOwnership", {}, tab.id)).toMatchObject({ owned: [], others: [{ id: shellId }] });
  // The role is that of the client that was named.
  const typed = { method: "writeToShell", params: { id: shellId, data: "x" }, target_client_id: tab.id };
  expect((await relay.post(typed)).headers.get("x-service-error")).toBe("role_forbids");
  expect(executed(tab)).toEqual([]);
});

test("`run` from a shell of the owner does not pass a guest", async () => {
  await using relay = await startTestRelay();
  using guest = await enterAsGuest(relay, { role: "reader" });
  const tab = await guest.tab();
  const { shellId } = await relay.command<{ shellId: number }>("createShell");
  const run = { method: "runCommand", params: { command: "echo ran-$((1+1))" }, source_shell_id: shellId };
  expect((await relay.post(run)).status).toBe(200);
  await until("the command's output", async () => (await outputOf(relay, shellId)).includes("ran-2"));
  const several = { method: "broadcastInput", params: { data: "echo also-$((1+1))\\n", ids: [shellId] } };
  expect((await relay.post(several)).status).toBe(200);
  await until("the input's output", async () => (await outputOf(relay, shellId)).includes("also-2"));
  expect(executed(tab)).toEqual([]);
});

test("a shell is shown on the only screen, and is its guest's though the guest's page did not create it", async () => {
  await using relay = await startTestRelay();
  using guest = await enterAsGuest(relay, { role: "writer" });
  const tab = await guest.tab();
  const creating = relay.post({ method: "createShell", params: { env: { SECRET: "x" }, focus: false } });
  const { id, method, params } = await tab.next("execute");
  expect([method, params]).toEqual(["openTile", { type: "shell", shell: 1, place: "right", focus: false }]);
  tab.say({ type: "result", id, value: { key: 3 }, hit: { tile: 3 as TileKey } });
  const { text, headers } = await creating;
  expect(JSON.parse(text)).toEqual({ result: { shellId: 1, key: 3 } });
  expect([headers.get("x-service-client"), headers.get("x-service-tile")]).toEqual([String(tab.id), "3"]);
  expect(await relay.command("getOwnership", {}, tab.id)).toMatchObject({ owned: [1], others: [] });
});

test("a page that does not show the shell changes nothing about it", async () => {
  await using relay = await startTestRelay();
  using guest = await enterAsGuest(relay, { role: "writer" });
  const tab = await guest.tab();
  for (const answer of [
    { type: "failed", error: { code: "internal", message: "no" } },
    { type: "result", value: { key: "3", shellId: 99 } },
  ] as const) {
    const creating = relay.command<{ shellId: number }>("createShell");
    const { id } = await tab.next("execute");
    tab.say({ ...answer, id });
    const { shellId, ...rest } = await creating;
    expect([rest, await relay.command("getShells")]).toMatchObject([
      {},
      expect.arrayContaining([expect.objectContaining({ id: shellId })]),
    ]);
  }
});

test("a shell that is created while the only guest may not type is the owner's, shown and no guest's", async () => {
  await using relay = await startTestRelay();
  using guest = await enterAsGuest(relay, { role: "reader" });
  const tab = await guest.tab();
  const { shellId } = await relay.command<{ shellId: number }>("createShell");
  expect(await tab.next("adopted")).toMatchObject({ shell: shellId });
  tab.say({ type: "ask", id: 1, op: "closeShell", params: { shell: shellId } });
  expect(await tab.next("refused")).toMatchObject({ id: 1, error: { code: "role_forbids" } });
  await relay.restart();
  await using desk = await relay.join({ kind: "desktop" });
  expect(await relay.command("getShells", {}, desk.id)).toMatchObject([{ id: shellId, owner: relay.relay.user }]);
});

test("two guests do not make the session's commands ambiguous; those for a screen are", async () => {
  await using relay = await startTestRelay();
  using guest = await enterAsGuest(relay);
  const tabs = [await guest.tab(), await guest.tab()];
  expect(await relay.command("getChat")).toEqual([]);
  const refused = await relay.get("layout");
  expect([refused.status, refused.headers.get("x-service-error")]).toEqual([409, "ambiguous_client"]);
  expect(tabs.flatMap(executed)).toEqual([]);
});

test("a program in a guest's shell speaks as the guest, never as the owner", async () => {
  await using relay = await startTestRelay();
  using guest = await enterAsGuest(relay, { role: "writer", name: "bob" });
  const tab = await guest.tab();
  const token = await tokenOfShell(relay, tab);
  const said = await relay.post(
    { method: "sendChat", params: { message: "mine" } },
    { "X-Service-Token": token.secret },
  );
  expect(JSON.parse(said.text)).toMatchObject({ result: { from: { clientId: tab.id, name: "bob" } } });
  tab.link.close("gone");
  await until("the guest to be away", () => relay.relay.sessions.get(relay.session).clients.size === 0);
  await using _desk = await relay.join();
  const late = await relay.post({ method: "sendChat", params: { message: "x" } }, { "X-Service-Token": token.secret });
  expect(late.headers.get("x-service-error")).toBe("scope_forbids");
});

/** Opens a shell for a guest and returns its token. */
async function tokenOfShell(relay: TestRelay, tab: PuppetClient): Promise<{ shell: number; secret: string }> {
  tab.say({ type: "ask", id: 100, op: "createShell", params: {} });
  const { value } = (await tab.next("answer")) as { value: { shell: { id: number } } };
  const shell = value.shell.id;
  await relay.command("writeToShell", { id: shell, data: "echo token=$SERVICE_TOKEN=\\n" });
  const secret = await until("the token", async () => /token=(pb\S+)=/.exec(await outputOf(relay, shell))?.[1]);
  return { shell, secret };
}
