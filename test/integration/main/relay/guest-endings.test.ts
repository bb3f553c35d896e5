import { expect, test } from "vitest";
import type { ClientFrame } from "../../../../core/protocol/frames.ts";
import type { ClientId, ShellId } from "../../../../core/protocol/ids.ts";
import { openStore } from "../../../../main/relay/store/open-store.ts";
import { enterAsGuest } from "../../../support/guest.ts";
import type { PuppetClient } from "../../../support/puppet-client.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

type Ask = ClientFrame & { type: "ask" };

const LONG_MS = 600_000;
/** The most waits of one caller in a session. */
const MOST_WAITS = 64;

test.each<[string, (relay: TestRelay, guest: string) => void]>([
  ["is removed", ({ relay, session }, guest) => void relay.guests.remove(session, guest)],
  ["expires", () => undefined],
])("what a guest waits for ends when the guest %s, with the connection", async (how, end) => {
  await using relay = await startTestRelay();
  using guest = await enterAsGuest(relay, { role: "admin" });
  const id = guestId(relay);
  if (how === "expires") expireIn(relay, 2500);
  const tab = await guest.tab();
  const shell = await createShell(tab);
  say(tab, 1, "waitFor", { shell, text: "never [t]here", timeoutMs: LONG_MS });
  say(tab, 2, "waitFor", { shell, question: true, timeoutMs: LONG_MS });
  say(tab, 3, "runInShell", { shell, command: "sleep 600", wait: true, timeoutMs: LONG_MS });
  await until("all waits to be open", () => openWaits(relay, id) === 3);
  end(relay, id);
  await until("the tab to be closed", () => tab.closed !== undefined);
  await until("the waits to be closed", () => openWaits(relay, id) === 0);
  await expect(guest.connect()).rejects.toThrow(/401/);
  const { shells, clients } = relay.relay.sessions.get(relay.session);
  expect([clients.size, shells.find(shell as ShellId)?.ownerClientId]).toEqual([0, null]);
});

test("a lower role ends what a guest has asked for that needs a higher one, and nothing else", async () => {
  await using relay = await startTestRelay();
  using guest = await enterAsGuest(relay, { role: "writer" });
  const id = guestId(relay);
  const tab = await guest.tab();
  const shell = await createShell(tab);
  say(tab, 1, "runInShell", { shell, command: "echo begun; sleep 600", wait: true, timeoutMs: LONG_MS });
  say(tab, 2, "waitFor", { shell, text: "over [n]ow", timeoutMs: LONG_MS });
  await until("both waits to be open", () => openWaits(relay, id) === 2);
  relay.relay.guests.changeRole(relay.session, id, "reader");
  expect(await answerTo(tab, 1)).toMatchObject({ type: "refused", error: { code: "role_forbids" } });
  await until("the wait of a writer to be closed", () => openWaits(relay, id) === 1);
  await relay.command("writeToShell", { id: shell, data: "\u0003" });
  await relay.command("writeToShell", { id: shell, data: "echo over n'o'w\\n" });
  expect(await answerTo(tab, 2)).toMatchObject({ type: "answer", value: { match: "over now" } });
  relay.relay.guests.changeRole(relay.session, id, "writer");
  say(tab, 3, "runInShell", { shell, command: "true", wait: true, timeoutMs: LONG_MS });
  expect(await answerTo(tab, 3)).toMatchObject({ type: "answer", value: { exitCode: 0 } });
});

test("a shell that a guest has asked for is not handed over to the guest with a lower role, or removed", async () => {
  await using relay = await startTestRelay();
  await using owner = await relay.join();
  const { shellId } = await relay.command<{ shellId: number }>("createShell", {}, owner.id);
  const { guests, sessions } = relay.relay;
  const requests = () => sessions.get(relay.session).state.now.adoptRequests.length;
  using guest = await enterAsGuest(relay, { role: "writer" });
  const id = guestId(relay);
  const tab = await guest.tab();
  say(tab, 1, "adoptShell", { shell: shellId });
  await until("the request", () => requests() === 1);
  guests.changeRole(relay.session, id, "reader");
  expect(requests()).toBe(0);
  guests.changeRole(relay.session, id, "writer");
  say(tab, 2, "adoptShell", { shell: shellId });
  await until("the next request", () => requests() === 1);
  guests.remove(relay.session, id);
  expect(requests()).toBe(0);
  expect(sessions.get(relay.session).shells.find(shellId as ShellId)?.ownerClientId).toBe(owner.id);
});

test("what the programs in a guest's shell have open ends with a lower role and, again, with the guest", async () => {
  await using relay = await startTestRelay();
  using guest = await enterAsGuest(relay, { role: "writer" });
  const id = guestId(relay);
  const token = await tokenOf(relay, await createShell(await guest.tab()));
  const { guests } = relay.relay;
  for (const end of [() => guests.changeRole(relay.session, id, "reader"), () => guests.remove(relay.session, id)]) {
    const stream = await openEvents(relay, token);
    end();
    expect(await stream.text()).toMatch(/event: closed\ndata: .*unauthenticated/);
  }
});

test("the token of a guest's shell ends with the guest, also when the guest left long ago", async () => {
  await using relay = await startTestRelay();
  using guest = await enterAsGuest(relay, { role: "writer" });
  const tab = await guest.tab();
  const token = await tokenOf(relay, await createShell(tab));
  await using _desk = await relay.join();
  const read = () => relay.get("shells", { "X-Service-Token": token });
  // As the relay does when the place of a client that left has expired.
  relay.relay.sessions.get(relay.session).shells.disown(tab.id as ClientId);
  expect((await read()).status).toBe(200);
  const stream = await openEvents(relay, token);
  relay.relay.guests.remove(relay.session, guestId(relay));
  expect(await stream.text()).toMatch(/event: closed\ndata: .*unauthenticated/);
  expect((await read()).status).toBe(401);
});

test("what the programs in the shell of an owner's client have open ends with a lower role of the client", async () => {
  await using relay = await startTestRelay();
  await using client = await relay.join({ name: "ann" });
  await using other = await relay.join({ name: "eve" });
  const { shellId } = await relay.command<{ shellId: number }>("createShell", {}, client.id);
  const token = await tokenOf(relay, shellId);
  const stream = await openEvents(relay, token);
  relay.relay.sessions.get(relay.session).clients.changeRole(client.id, "reader");
  expect(await stream.text()).toMatch(/event: closed\ndata: .*unauthenticated/);
  const write = { method: "writeToShell", params: { id: shellId, data: "x" }, target_client_id: other.id };
  const refused = await relay.post(write, { "X-Service-Token": token });
  expect(refused.headers.get("x-service-error")).toBe("role_forbids");
});

function guestId({ relay, session }: TestRelay): string {
  return relay.guests.list(session)[0]?.id ?? "";
}

/** Number of waits that a guest has open. */
function openWaits({ relay, session }: TestRelay, guest: string): number {
  const { budgets } = relay.sessions.get(session);
  const close: (() => void)[] = [];
  try {
    for (;;) close.push(budgets.open(`guest ${guest}`, "wait"));
  } catch {
    return MOST_WAITS - close.length;
  } finally {
    for (const one of close) one();
  }
}

function expireIn(relay: TestRelay, ms: number): void {
  const { database } = openStore(relay.folder);
  database.prepare("UPDATE guests SET expires_at = ?").run([new Date(Date.now() + ms).toISOString()]);
  database.close();
}

function say(tab: PuppetClient, id: number, op: Ask["op"], params: object): void {
  tab.say({ type: "ask", id, op, params });
}

test("a removed guest's shells run on, and their programs have no rights", async () => {
  await using relay = await startTestRelay();
  using guest = await enterAsGuest(relay);
  const tab = await guest.tab();
  const shell = await createShell(tab);
  const headers = { "X-Service-Token": await tokenOf(relay, shell) };
  expect((await relay.post({ method: "sendChat", params: { message: "x" } }, headers)).status).toBe(200);
  const [listed] = relay.relay.guests.list(relay.session);
  await relay.request("DELETE", `/v1/sessions/${relay.session}/guests/${listed?.id}`);
  await using _desk = await relay.join();
  expect(await relay.command("getShells")).toMatchObject([{ id: shell, running: true, ownerClientId: null }]);
  for (const call of [
    { method: "writeToShell", params: { id: shell, data: "x" } },
    { method: "getShells", params: {} },
  ])
    expect((await relay.post(call, headers)).status).toBe(401);
});

test("transcripts of agents are read by the owner and by admins only, whichever way", async () => {
  await using relay = await startTestRelay();
  await using owner = await relay.join();
  const method = "getAgentEvents";
  const params = { sessionId: "run-1" };
  expect((await relay.post({ method, params, target_client_id: owner.id })).status).toBe(200);
  for (const [role, outcome] of [
    ["reader", "role_forbids"],
    ["writer", "role_forbids"],
    ["admin", []],
  ] as const) {
    using guest = await enterAsGuest(relay, { role, name: `a ${role}` });
    const tab = await guest.tab();
    tab.say({ type: "ask", id: 1, op: method, params });
    const answer = await until("the answer", () =>
      tab.frames.find((frame) => (frame.type === "answer" || frame.type === "refused") && frame.id === 1),
    );
    expect(answer.type === "refused" ? answer.error.code : answer.type === "answer" && answer.value).toEqual(outcome);
    if (role !== "writer") continue;
    const token = await tokenOf(relay, await createShell(tab), owner.id);
    for (const target of [{}, { target_client_id: owner.id }, { target_client_id: tab.id }]) {
      const refused = await relay.post({ method, params, ...target }, { "X-Service-Token": token });
      expect([refused.status, refused.headers.get("x-service-error")]).toEqual([403, "role_forbids"]);
    }
  }
  const { secret } = relay.relay.keys.create({ owner: relay.relay.user, name: "r", restrictions: { readOnly: true } });
  const read = await relay.post({ method, params, target_client_id: owner.id }, { "X-Service-Token": secret });
  expect(read.status).toBe(200);
});

async function answerTo(tab: PuppetClient, id: number): Promise<unknown> {
  return until(`the answer to ${id}`, () =>
    tab.frames.find((frame) => (frame.type === "answer" || frame.type === "refused") && frame.id === id),
  );
}

async function createShell(tab: PuppetClient): Promise<number> {
  say(tab, 1000, "createShell", {});
  const { value } = (await answerTo(tab, 1000)) as { value: { shell: { id: number } } };
  return value.shell.id;
}

async function tokenOf(relay: TestRelay, id: number, target?: number): Promise<string> {
  const output = async () => (await relay.command<{ output: string }>("getShellOutput", { id }, target)).output;
  await relay.command("writeToShell", { id, data: "echo token=$SERVICE_TOKEN=\\n" }, target);
  return until("the token", async () => /token=(pb\S+)=/.exec(await output())?.[1]);
}

async function openEvents({ url, session }: TestRelay, token: string): Promise<Response> {
  const stream = await fetch(`${url}/v1/sessions/${session}/events`, { headers: { "X-Service-Token": token } });
  expect(stream.status).toBe(200);
  return stream;
}
