import { expect, test, vi } from "vitest";
import type { Guest } from "../../../../../core/operations/guests.ts";
import { limits } from "../../../../../core/protocol/limits.ts";
import { colourOfId } from "../../../../../main/relay/session/present-people.ts";
import { openStore } from "../../../../../main/relay/store/open-store.ts";
import { enterAsGuest, requestEntry, type TestGuest } from "../../../../support/guest.ts";
import type { PuppetClient } from "../../../../support/puppet-client.ts";
import type { TestRelay } from "../../../../support/test-relay.ts";
import { until } from "../../../../support/until.ts";
import { startPaperRelay } from "../paper-relay.ts";

/** What the relay answers to an operation that the client requests: the value, or the error's code. */
async function ask(tab: PuppetClient, op: "createShell" | "sendChat", params: object): Promise<unknown> {
  const id = tab.frames.length + 1000;
  tab.say({ type: "ask", id, op, params });
  const answer = await until(`the answer to ${op}`, () =>
    tab.frames.find((frame) => (frame.type === "answer" || frame.type === "refused") && frame.id === id),
  );
  return answer.type === "answer" ? answer.value : answer.type === "refused" ? answer.error.code : undefined;
}

async function guestsOf(relay: TestRelay): Promise<Guest[]> {
  return result(await relay.request("GET", `/v1/sessions/${relay.session}/guests`));
}

function result<T>({ text }: { text: string }): T {
  return (JSON.parse(text) as { result: T }).result;
}

/** Milliseconds until all of these tabs are closed. */
async function closedWithin(tabs: readonly PuppetClient[], end: () => Promise<{ status: number }>): Promise<number> {
  const before = performance.now();
  expect((await end()).status).toBe(200);
  await until("all tabs to be closed", () => tabs.every(({ closed }) => closed !== undefined));
  return performance.now() - before;
}

async function isLetIn(relay: TestRelay, { cookie }: TestGuest): Promise<boolean> {
  return result(await relay.request("GET", `/s/${relay.session}/guest`, { headers: { Cookie: cookie } })) !== null;
}

const ways: [string, (relay: TestRelay, tab: { id: number }) => Promise<{ status: number }>][] = [
  [
    "one of the tabs is disconnected",
    (relay, { id }) => relay.request("DELETE", `/v1/sessions/${relay.session}/clients/${id}`),
  ],
  [
    "the guest is removed",
    async (relay) => relay.request("DELETE", `/v1/sessions/${relay.session}/guests/${(await guestsOf(relay))[0]?.id}`),
  ],
];

test.each(ways)("every tab of a guest ends within a second when %s, and the cookie is dead", async (_what, end) => {
  await using relay = await startPaperRelay();
  using guest = await enterAsGuest(relay);
  using other = await enterAsGuest(relay, { name: "eve" });
  const stays = await other.tab();
  const tabs = [await guest.tab(), await guest.tab(), await guest.tab()] as const;
  // One more has said nothing yet.
  const silent = await guest.connect();
  let silentClosed = false;
  silent.onClose(() => {
    silentClosed = true;
  });
  expect(await closedWithin(tabs, () => end(relay, tabs[1]))).toBeLessThan(1000);
  await until("the silent socket to be closed", () => silentClosed);
  expect(await isLetIn(relay, guest)).toBe(false);
  await expect(guest.connect()).rejects.toThrow(/401/);
  expect(stays.closed).toBeUndefined();
  expect(await guestsOf(relay)).toMatchObject([{ name: "eve" }]);
  expect((await relay.request("DELETE", `/v1/sessions/${relay.session}/clients/${tabs[0].id}`)).status).toBe(404);
  await relay.restart();
  expect(await isLetIn(relay, guest)).toBe(false);
});

test.each<[string, (relay: TestRelay, tab: { id: number }) => string]>([
  ["of one tab", ({ session }, { id }) => `/v1/sessions/${session}/clients/${id}`],
  ["of the guest", ({ session, relay }) => `/v1/sessions/${session}/guests/${relay.guests.list(session)[0]?.id}`],
])("a change of the role %s holds in every tab, and for those that come back", async (_what, path) => {
  await using relay = await startPaperRelay();
  using guest = await enterAsGuest(relay, { role: "reader" });
  const [one, two] = [await guest.tab(), await guest.tab()];
  const setRole = async (role: string) =>
    expect((await relay.request("PATCH", path(relay, one), { body: { role } })).status).toBe(200);
  await setRole("admin");
  expect(await ask(two, "sendChat", { text: "as admin" })).toMatchObject({ text: "as admin" });
  two.link.close("gone");
  await until("the tab to be away", () => relay.relay.sessions.get(relay.session).clients.size === 1);
  await setRole("reader");
  expect(await ask(one, "createShell", {})).toBe("role_forbids");
  const back = await guest.tab({ resume: two.welcome.resume });
  expect([back.id, back.welcome.role]).toEqual([two.id, "reader"]);
  expect(await ask(back, "createShell", {})).toBe("role_forbids");
  expect(await relay.command("getClients")).toMatchObject([{ role: "reader" }, { role: "reader" }]);
});

test("a resume token is good for the guest who got it only, also after a restart", async () => {
  await using relay = await startPaperRelay();
  using bob = await enterAsGuest(relay, { role: "admin" });
  using eve = await enterAsGuest(relay, { role: "writer", name: "eve" });
  const tab = await bob.tab();
  tab.say({ type: "state", focus: null, workspace: 0, saved: { secret: "layout" } });
  const made = (await ask(tab, "createShell", {})) as { shell: { id: number } };
  const { resume } = tab.welcome;
  const stolen = await eve.tab({ resume });
  expect(stolen.id).not.toBe(tab.id);
  expect(stolen.welcome).toMatchObject({ role: "writer", name: "eve" });
  expect(stolen.welcome.saved).toBeUndefined();
  expect(tab.closed).toBeUndefined();
  await using owner = await relay.join({ over: "socket", resume });
  expect(owner.id).not.toBe(tab.id);
  await relay.restart();
  const again = await eve.tab({ resume });
  expect([again.id, again.welcome.saved]).not.toEqual([tab.id, expect.anything()]);
  const back = await bob.tab({ resume });
  expect([back.id, back.welcome.saved]).toEqual([tab.id, { secret: "layout" }]);
  expect(relay.relay.sessions.get(relay.session).shells.find(made.shell.id)?.ownerClientId ?? back.id).toBe(back.id);
});

test("guests are listed and removed while they are away, and over a restart", async () => {
  await using relay = await startPaperRelay();
  const made = await relay.request("POST", `/v1/sessions/${relay.session}/invites`, { body: { role: "writer" } });
  const { id: invite, url } = result<{ id: string; url: string }>(made);
  const entered = await relay.request("POST", `/s/${relay.session}/enter`, {
    body: { invite: new URL(url).hash.slice(1), name: "bob" },
    headers: { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" },
  });
  expect(entered.status).toBe(200);
  using eve = await enterAsGuest(relay, { name: "eve", role: "reader" });
  const tab = await eve.tab({ device: "Chrome on Linux" });
  const [bob, listed] = await guestsOf(relay);
  expect(bob?.colour).toBe(colourOfId(bob?.id));
  expect(bob).toMatchObject({ name: "bob", role: "writer", device: "Firefox on Linux", invite, clients: [] });
  expect(listed).toMatchObject({ name: "eve", role: "reader", device: "Chrome on Linux", clients: [tab.id] });
  for (const { since, lastSeenAt, expiresAt } of await guestsOf(relay)) {
    expect(since <= lastSeenAt && lastSeenAt < expiresAt).toBe(true);
  }
  await relay.restart();
  expect(await guestsOf(relay)).toMatchObject([
    { id: bob?.id, clients: [] },
    { id: listed?.id, clients: [] },
  ]);
  const at = `/v1/sessions/${relay.session}/guests/${bob?.id}`;
  expect(result(await relay.request("PATCH", at, { body: { role: "reader" } }))).toMatchObject({ role: "reader" });
  expect(result(await relay.request("DELETE", at))).toMatchObject({ id: bob?.id, name: "bob" });
  const gone = await relay.request("DELETE", at);
  expect([gone.status, gone.headers.get("x-service-error")]).toEqual([404, "unknown_guest"]);
  expect(await guestsOf(relay)).toMatchObject([{ name: "eve" }]);
  const audit = result<{ action: string; params: object; outcome: string }[]>(
    await relay.request("GET", "/v1/audit?text=Guest"),
  );
  expect(audit.map(({ action, outcome }) => [action, outcome])).toEqual([
    ["removeGuest", "unknown_guest"],
    ["removeGuest", "ok"],
    ["changeGuestRole", "ok"],
  ]);
  expect(audit[1]).toMatchObject({ params: { guest: bob?.id } });
});

test("a guest of another session is neither listed nor removed, and a guest manages no guests", async () => {
  await using relay = await startPaperRelay();
  using guest = await enterAsGuest(relay, { role: "admin" });
  const other = result<{ id: string }>(await relay.request("POST", "/v1/sessions", { body: { name: "other" } })).id;
  const [mine] = await guestsOf(relay);
  expect(result(await relay.request("GET", `/v1/sessions/${other}/guests`))).toEqual([]);
  for (const method of ["DELETE", "PATCH"]) {
    const body = method === "PATCH" ? { body: { role: "admin" } } : {};
    expect((await relay.request(method, `/v1/sessions/${other}/guests/${mine?.id}`, body)).status).toBe(404);
  }
  const bare = { headers: { "X-Service-Token": "", Cookie: guest.cookie } };
  expect((await relay.request("GET", `/v1/sessions/${relay.session}/guests`, bare)).status).toBe(401);
  expect((await relay.request("DELETE", `/v1/sessions/${relay.session}/guests/${mine?.id}`, bare)).status).toBe(401);
  expect(await isLetIn(relay, guest)).toBe(true);
});

test("one cookie takes eight places: a closed tab's is taken first, then a tab is refused with a reason", async () => {
  await using relay = await startPaperRelay();
  using guest = await enterAsGuest(relay);
  const closed = [await guest.tab(), await guest.tab()] as const;
  const { clients } = relay.relay.sessions.get(relay.session);
  for (const [index, tab] of closed.entries()) {
    tab.link.close("gone");
    await until("the tab to be away", () => clients.size === closed.length - 1 - index);
  }
  const tabs: (PuppetClient & { id: number })[] = [];
  for (let made = 2; made < limits.clientsPerGuest; made++) tabs.push(await guest.tab());
  // The seventh connected tab takes the place of the one that was closed first.
  tabs.push(await guest.tab());
  const back = await guest.tab({ resume: closed[1].welcome.resume });
  expect(back.id).toBe(closed[1].id);
  await refused(guest);
  expect(clients.size).toBe(limits.clientsPerGuest);
  using other = await enterAsGuest(relay, { name: "eve" });
  expect((await other.tab()).welcome.name).toBe("eve");
  expect(relay.relay.guests.list(relay.session)).toHaveLength(2);
});

/** Expects another tab not to be let in, with the reason. */
async function refused(guest: TestGuest): Promise<void> {
  const link = await guest.connect();
  const reason = new Promise<string>((resolve) => link.onClose(resolve));
  link.send({ type: "hello", protocol: 2, device: "one more", clientKind: "browser" });
  expect(await reason).toMatch(/at most 8 tabs/);
}

test("no guest takes a name that stands for the owner, the machine or Patchbay, and the invite stays good", async () => {
  await using relay = await startPaperRelay();
  const made = await relay.request("POST", `/v1/sessions/${relay.session}/invites`, { body: { role: "writer" } });
  const invite = new URL(result<{ url: string }>(made).url).hash.slice(1);
  const enter = (name: string) => relay.request("POST", `/s/${relay.session}/enter`, { body: { invite, name } });
  for (const name of [relay.relay.user, "root", "r\u200boot", "\u202eroot", "RELAY", "desk\u2060top", "rооt"]) {
    const { status, headers } = await enter(name);
    expect([name, status, headers.get("x-service-error")]).toEqual([name, 400, "invalid_params"]);
  }
  const entered = await enter("  b\u200bo\u202eb\n ");
  expect(result(entered)).toMatchObject({ name: "b o b", role: "writer" });
});

test("no guest takes the name of a person who is here, in whatever letters, and the invite stays good", async () => {
  await using relay = await startPaperRelay();
  using ann = await enterAsGuest(relay, { name: "Mara" });
  const tab = await ann.tab();
  const made = await relay.request("POST", `/v1/sessions/${relay.session}/invites`, { body: { uses: 2 } });
  const invite = new URL(result<{ url: string }>(made).url).hash.slice(1);
  const enter = (name: string | undefined, cookie = "") =>
    relay.request("POST", `/s/${relay.session}/enter`, { body: { invite, name }, headers: { Cookie: cookie } });
  for (const name of ["Mara", " m a r a ", "M\u200bara", "МАRА"]) {
    const { status, text } = await enter(name);
    expect([name, status, text]).toEqual([name, 400, expect.stringMatching(/is the name of a person who is here/)]);
  }
  // The same browser keeps its name with another invite.
  expect(result(await enter("Mara", ann.cookie))).toMatchObject({ name: "Mara" });
  tab.link.close("gone");
  await until("the tab to be away", () => relay.relay.sessions.get(relay.session).clients.size === 0);
  expect(result(await enter("Mara"))).toMatchObject({ name: "Mara" });
});

test("guests without a name get one that no other guest has", async () => {
  await using relay = await startPaperRelay();
  const names = [];
  for (const name of ["", "guest 2", "", "\u200b"]) names.push(result(await requestEntry(relay, { name })));
  expect(names).toMatchObject([{ name: "guest" }, { name: "guest 2" }, { name: "guest 3" }, { name: "guest 4" }]);
});

test("of two guests who chose the same name before they were here, the later one is shown with a number", async () => {
  await using relay = await startPaperRelay();
  using first = await enterAsGuest(relay, { name: "Mara" });
  using second = await enterAsGuest(relay, { name: "mara" });
  const tabs = [await first.tab(), await second.tab(), await first.tab()];
  expect(tabs.map(({ welcome }) => welcome.name)).toEqual(["Mara", "mara 2", "Mara"]);
  expect(await ask(tabs[1] as PuppetClient, "sendChat", { text: "hello" })).toMatchObject({ from: { name: "mara 2" } });
});

test("an invite says what it is to, without being used, and a wrong one says nothing", async () => {
  await using relay = await startPaperRelay();
  const made = await relay.request("POST", `/v1/sessions/${relay.session}/invites`, { body: { role: "reader" } });
  const invite = new URL(result<{ url: string }>(made).url).hash.slice(1);
  const read = (secret: string) =>
    relay.request("GET", `/s/${relay.session}/invite`, { headers: { "X-Patchbay-Invite": secret } });
  expect(result(await read(invite))).toEqual({ session: "default", owner: relay.relay.user, role: "reader" });
  expect(result(await read(invite))).toMatchObject({ role: "reader" });
  for (const secret of ["", "pbi_unknown"]) {
    const { status, headers } = await read(secret);
    expect([status, headers.get("x-service-error")]).toEqual([403, "invite_spent"]);
  }
  const wrong = await Promise.all(Array.from({ length: 12 }, () => read("pbi_guess")));
  expect(wrong.at(-1)?.status).toBe(429);
});

test("a guest is marked as one in the chat, in lists, in events and in requests", async () => {
  await using relay = await startPaperRelay();
  await using owner = await relay.join();
  using guest = await enterAsGuest(relay, { name: "\u202eeve\u0007" });
  const tab = await guest.tab({ device: "desk\u200btop" });
  const { shellId } = await relay.command<{ shellId: number }>("createShell", {}, owner.id);
  expect(await ask(tab, "sendChat", { text: "hello" })).toMatchObject({ from: { name: "eve", guest: true } });
  tab.say({ type: "ask", id: 5, op: "adoptShell", params: { shell: shellId } });
  await owner.event("adopt.requested");
  expect(await relay.command("getAdoptRequests", {}, owner.id)).toMatchObject([{ from: { name: "eve", guest: true } }]);
  await relay.command("sendChat", { message: "mine" }, owner.id);
  await relay.restart();
  await using desk = await relay.join();
  const chat = await relay.command<{ from: { name: string; guest?: true } }[]>("getChat", {}, desk.id);
  expect(chat.map(({ from }) => [from.name, from.guest])).toEqual([
    ["eve", true],
    [relay.relay.user, undefined],
  ]);
  const again = await guest.tab({ device: "desk\u200btop" });
  const joined = await until("the guest to join", () =>
    desk.events.find((event) => event.type === "client.joined" && event.data.client.id === again.id),
  );
  expect(joined.data).toMatchObject({ client: { name: "eve", guest: true } });
  for (const method of ["getClients", "getUsers"]) {
    const listed = await relay.command<{ name: string; device: string; guest?: true }[]>(method, {}, desk.id);
    expect(listed.map(({ name, device, guest: mark }) => [name, device, mark])).toEqual([
      [relay.relay.user, "test", undefined],
      ["eve", "browser", true],
    ]);
  }
});

test("who is removed has nothing open any more, and all are told, also where a store fails meanwhile", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  await using relay = await startPaperRelay();
  using guest = await enterAsGuest(relay);
  using other = await enterAsGuest(relay, { name: "eve" });
  const [tab, open] = [await guest.tab(), await guest.connect()];
  const late = await other.tab();
  let isCut = false;
  open.onClose(() => {
    isCut = true;
  });
  const told: string[] = [];
  const fail = () => {
    throw new Error("the disk is full");
  };
  const { guests } = relay.relay;
  const disposers = [guests.onChange(fail), guests.onChange(({ id }) => void told.push(id))];
  const [first, second] = await guestsOf(relay);
  expect(() => guests.remove(relay.session, first?.id ?? "")).toThrow("the disk is full");
  await until("all of the guest to be closed", () => tab.closed !== undefined && isCut);
  expect(late.closed).toBeUndefined();
  const { database } = openStore(relay.folder);
  database.prepare("UPDATE guests SET expires_at = ?").run([new Date(Date.now() - 1).toISOString()]);
  database.close();
  vi.advanceTimersByTime(60_000);
  await until("the other one to expire", () => late.closed !== undefined);
  expect(told).toEqual([first?.id, second?.id]);
  for (const dispose of disposers) dispose();
  vi.useRealTimers();
});

test("what a guest's programs may do ends with the admission, also while the guest is away", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  await using relay = await startPaperRelay();
  using _guest = await enterAsGuest(relay);
  const ended: unknown[] = [];
  relay.relay.guests.onChange((change) => void ended.push(change));
  const [known] = await guestsOf(relay);
  const { database } = openStore(relay.folder);
  database.prepare("UPDATE guests SET expires_at = ?").run([new Date(Date.now() - 1).toISOString()]);
  database.close();
  vi.advanceTimersByTime(60_000);
  expect(ended).toEqual([{ session: relay.session, id: known?.id, guest: undefined }]);
  vi.useRealTimers();
});
