import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { AskableName } from "../../../../core/commands/asked.ts";
import { HEADLESS_DEVICE } from "../../../../core/protocol/headless.ts";
import { enterAsGuest } from "../../../support/guest.ts";
import type { PuppetClient } from "../../../support/puppet-client.ts";
import type { ScriptedClient } from "../../../support/scripted-client.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

let relay: TestRelay;
let host: ScriptedClient;
beforeAll(async () => {
  relay = await startTestRelay();
});
afterAll(() => relay[Symbol.asyncDispose]());
beforeEach(async () => {
  host = await relay.join();
});
afterEach(() => host[Symbol.asyncDispose]());

test("the host lets a guest type who asks for it, in all tabs, and every step is an event and in the audit log", async () => {
  using guest = await enterAsGuest(relay, { role: "reader", name: "ann" });
  const [tab, second] = [await guest.tab(), await guest.tab()];
  const { request, hosts } = await asked(tab);
  expect(hosts).toBe(1);
  expect((await asked(second)).request).toBe(request);
  await until("the host to see it", () => host.client.mirror?.roleRequests.length === 1);
  expect(host.client.mirror?.roleRequests).toMatchObject([
    { id: request, from: { clientId: tab.id, name: "ann", guest: true }, role: "writer" },
  ]);
  expect(await relay.command("getRoleRequests")).toMatchObject([{ id: request }]);
  await host.client.execute("answerRoleRequest", { request });
  for (const { id } of [tab, second]) expect(roleOf(id)).toBe("writer");
  expect(relay.relay.guests.list(relay.session).find(({ name }) => name === "ann")?.role).toBe("writer");
  await until("the events", () => eventsOf(request).length === 2);
  expect(eventsOf(request)).toMatchObject([
    ["role.requested", { from: tab.id, name: "ann", guest: true, role: "writer" }],
    ["role.answered", { from: tab.id, outcome: "allowed" }],
  ]);
  expect(host.client.mirror?.roleRequests).toEqual([]);
  expect(await auditOf("askToType")).toMatchObject({ who: "ann", credential: "guest", outcome: "ok" });
  expect(await auditOf("answerRoleRequest")).toMatchObject({ params: { request, allow: true }, outcome: "ok" });
  expect((await refused(tab)).code).toBe("invalid_request");
});

test("a refused guest stays a watcher and cannot ask again at once, from another tab either", async () => {
  using guest = await enterAsGuest(relay, { role: "reader", name: "bob" });
  const tab = await guest.tab();
  const { request } = await asked(tab);
  await relay.command("answerRoleRequest", { request, allow: false });
  expect(eventsOf(request).at(-1)?.[1]).toMatchObject({ outcome: "denied" });
  expect(roleOf(tab.id)).toBe("reader");
  expect((await refused(tab)).code).toBe("too_many_requests");
  expect((await refused(await guest.tab())).message).toMatch(/ask again in \d+(\.\d)? s/);
  const late = await relay.post({ method: "answerRoleRequest", params: { request } });
  expect([late.status, late.headers.get("x-service-error")]).toEqual([404, "unknown_request"]);
});

test("the request is withdrawn when the last tab of who asked is gone, and coming back does not renew it at once", async () => {
  using guest = await enterAsGuest(relay, { role: "reader", name: "cid" });
  const [tab, second] = [await guest.tab(), await guest.tab()];
  const { request } = await asked(tab);
  await leave(tab);
  expect(requests()).toContain(request);
  await leave(second);
  expect(requests()).not.toContain(request);
  expect(eventsOf(request).at(-1)?.[1]).toMatchObject({ outcome: "withdrawn" });
  expect((await refused(await guest.tab())).code).toBe("too_many_requests");
});

test("a request ends with a change of role that is made elsewhere, and with the removal of the guest", async () => {
  using changed = await enterAsGuest(relay, { role: "reader", name: "dan" });
  using removed = await enterAsGuest(relay, { role: "reader", name: "eve" });
  const [dan, eve] = [await changed.tab(), await removed.tab()];
  const [first, second] = [await asked(dan), await asked(eve)];
  await relay.request("PATCH", `/v1/sessions/${relay.session}/clients/${dan.id}`, { body: { role: "writer" } });
  expect(eventsOf(first.request).at(-1)?.[1]).toMatchObject({ outcome: "allowed" });
  await relay.request("DELETE", `/v1/sessions/${relay.session}/clients/${eve.id}`);
  expect(eventsOf(second.request).at(-1)?.[1]).toMatchObject({ outcome: "withdrawn" });
});

test("no guest answers, whatever their role, and without the host the one who asks is told that nobody is there", async () => {
  using guest = await enterAsGuest(relay, { role: "reader", name: "fay" });
  using admin = await enterAsGuest(relay, { role: "admin", name: "gus" });
  const [tab, other] = [await guest.tab(), await admin.tab()];
  await host.leave();
  const { request, hosts } = await asked(tab);
  expect(hosts).toBe(0);
  expect((await refused(tab, "answerRoleRequest", { request, allow: true })).code).toBe("role_forbids");
  expect((await refused(other, "answerRoleRequest", { request, allow: true })).code).toBe("role_forbids");
  expect(roleOf(tab.id)).toBe("reader");
  // A server without a window: the command line answers.
  await relay.command("answerRoleRequest", { request });
  expect(roleOf(tab.id)).toBe("writer");
});

test("a client without a screen is no host who could answer", async () => {
  await host.leave();
  await using headless = await relay.join({ kind: "desktop", device: HEADLESS_DEVICE });
  using guest = await enterAsGuest(relay, { role: "reader", name: "hal" });
  expect((await asked(await guest.tab())).hosts).toBe(0);
  expect(headless.client.connected).toBe(true);
});

async function asked(tab: PuppetClient): Promise<{ request: number; hosts: number }> {
  const answer = await tab.ask("askToType", {});
  if (answer.type !== "answer") throw new Error(`refused: ${JSON.stringify(answer)}`);
  return answer.value as { request: number; hosts: number };
}

async function refused(tab: PuppetClient, op: AskableName = "askToType", params: object = {}) {
  const answer = await tab.ask(op, params);
  if (answer.type !== "refused") throw new Error("it was not refused");
  return answer.error;
}

async function leave(tab: PuppetClient & { readonly id: number }): Promise<void> {
  tab.link.close("the test says so");
  await until("the relay to notice", () => roleOf(tab.id) === undefined);
}

function session() {
  return relay.relay.sessions.get(relay.session);
}

function roleOf(client: number): string | undefined {
  return session().state.now.clients.find(({ id }) => id === client)?.role;
}

function requests(): number[] {
  return session().state.now.roleRequests.map(({ id }) => id);
}

/** The events of a request, in order. */
function eventsOf(request: number): [string, object][] {
  return session()
    .state.events.after(0)
    .events.flatMap(({ event }) =>
      event.type === "role.requested" || event.type === "role.answered"
        ? event.data.request === request
          ? [[event.type, event.data] as [string, object]]
          : []
        : [],
    );
}

/** The newest entry of the audit log about an action. */
async function auditOf(action: string): Promise<object | undefined> {
  const { text } = await relay.request("GET", `/v1/audit?text=${action}`);
  return (JSON.parse(text) as { result: object[] }).result[0];
}
