import { expect, test } from "vitest";
import { puppet } from "../../../support/puppet-client.ts";
import { startTestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

test("several clients and none chosen: 409 with one client a line, and each can be chosen", async () => {
  await using relay = await startTestRelay();
  await using desk = await relay.join({ device: "laptop", name: "ann" });
  await using page = await relay.join({ kind: "browser", device: "Firefox", name: "bob", over: "socket" });
  const refused = await relay.post({ method: "getLayout", params: {} });
  expect(refused).toMatchObject({ status: 409 });
  expect(refused.headers.get("x-service-error")).toBe("ambiguous_client");
  expect(refused.headers.get("content-type")).toMatch(/^text\/plain/);
  expect(refused.text.trim().split("\n").slice(1)).toEqual([
    `${desk.id} ann desktop laptop`,
    `${page.id} ${relay.relay.user} browser Firefox`,
  ]);
  for (const { id } of [desk, page]) {
    const answer = await relay.post({ method: "getLayout", params: {}, target_client_id: id });
    expect([answer.status, answer.headers.get("x-service-client")]).toEqual([200, String(id)]);
    expect((await relay.get(`tiles?client=${id}`)).status).toBe(200);
  }
});

test("a session command goes to the desktop client, also when several are connected", async () => {
  await using relay = await startTestRelay();
  await using _page = await relay.join({ kind: "browser" });
  await using desk = await relay.join({ kind: "desktop" });
  const answer = await relay.get("chat");
  expect([answer.status, answer.headers.get("x-service-client")]).toEqual([200, String(desk.id)]);
});

test("an unknown target is 404 that lists who is connected, a bad one 400", async () => {
  await using relay = await startTestRelay();
  await using one = await relay.join();
  expect(await relay.post({ method: "getLayout", params: {}, target_client_id: 99 })).toMatchObject({
    status: 404,
    text: `Client 99 is not connected. Connected: ${one.id}.\n`,
  });
  expect(await relay.get("layout?client=0")).toMatchObject({ status: 404 });
  for (const bad of ["-1", "1.5", "x", "", "1&client=2", "1e999"]) {
    expect(await relay.get(`layout?client=${bad}`), bad).toMatchObject({ status: 400 });
  }
});

test("what needs no screen is executed in a client's name, and the client is not asked: one that hangs holds nothing up", async () => {
  await using relay = await startTestRelay();
  const identity = { name: relay.relay.user, role: "reader" } as const;
  const silent = await puppet(relay.relay.attachLocal(relay.session, identity));
  const { client } = silent.welcome;
  silent.say({ type: "state", focus: null, workspace: 0, saved: undefined });
  for (const method of ["getSession", "getShells", "getRole", "getOwnership", "getTerminalNames", "getAgentCost"]) {
    const answer = await relay.post({ method, params: {} });
    expect([method, answer.status, answer.headers.get("x-service-client")]).toEqual([method, 200, String(client)]);
  }
  expect(JSON.parse((await relay.post({ method: "getRole", params: {} })).text)).toEqual({
    result: { role: "reader" },
  });
  // With the role of the client in whose name it is executed.
  const refused = await relay.post({ method: "sendChat", params: { message: "x" }, target_client_id: client });
  expect([refused.status, refused.headers.get("x-service-error")]).toEqual([403, "role_forbids"]);
  expect(silent.frames.filter(({ type }) => type === "execute")).toEqual([]);
});

test("what needs no screen waits for a client too, then 504", async () => {
  await using relay = await startTestRelay({ commandTimeoutMs: 150 });
  for (const method of ["getShells", "getRole", "writeToShell"]) {
    const answer = await relay.post({ method, params: method === "writeToShell" ? { id: 1, data: "x" } : {} });
    expect([method, answer.status, answer.headers.get("x-service-error")]).toEqual([method, 504, "no_client"]);
  }
});

test("a call from a shell goes to the client that owns the shell", async () => {
  await using relay = await startTestRelay();
  await using one = await relay.join();
  await using two = await relay.join();
  const made: Record<number, number> = {};
  for (const { id } of [one, two]) {
    made[id] = (await relay.command<{ shellId: number }>("createShell", {}, id)).shellId;
  }
  for (const { id } of [one, two]) {
    const answer = await relay.post({ method: "getRole", params: {}, source_shell_id: made[id] });
    expect([answer.status, answer.headers.get("x-service-client")]).toEqual([200, String(id)]);
  }
  expect(await relay.post({ method: "getRole", params: {}, source_shell_id: 99 })).toMatchObject({ status: 404 });
  const explicit = { method: "getRole", params: {}, source_shell_id: made[one.id], target_client_id: two.id };
  expect((await relay.post(explicit)).headers.get("x-service-client")).toBe(String(two.id));
});

test("without a client the request waits, then 504; one that joins in time serves it", async () => {
  await using relay = await startTestRelay({ commandTimeoutMs: 150 });
  const nobody = await relay.get("layout");
  expect(nobody).toMatchObject({ status: 504 });
  expect(nobody.headers.get("x-service-error")).toBe("no_client");
  expect(nobody.headers.get("content-type")).toMatch(/^text\/plain/);
  const waiting = relay.get("layout", { "X-Service-Timeout": "20" });
  await using _late = await relay.join();
  expect(await waiting).toMatchObject({ status: 200, text: '{"result":{"kind":"leaf","tiles":[]}}' });
});

test("a caller sets its own timeout, up to 60 s", async () => {
  await using relay = await startTestRelay();
  const before = performance.now();
  expect(await relay.get("layout", { "X-Service-Timeout": "0.05" })).toMatchObject({ status: 504 });
  expect(performance.now() - before).toBeLessThan(5000);
  for (const bad of ["", "0", "-1", "61", "soon", "NaN", "0x10", "1e1", "+5", "5 s"]) {
    expect(await relay.get("layout", { "X-Service-Timeout": bad }), bad).toMatchObject({ status: 400 });
  }
  await using _client = await relay.join();
  for (const good of ["5", "5.5", ".5", "5.", "60"]) {
    expect(await relay.get("layout", { "X-Service-Timeout": good }), good).toMatchObject({ status: 200 });
  }
});

test("a client that vanishes while executing is 504 naming it", async () => {
  await using relay = await startTestRelay();
  const silent = await puppet(relay.relay.attachLocal(relay.session, { name: "ann", role: "admin" }));
  const waiting = relay.get("layout");
  await silent.next("execute");
  silent.link.close("gone");
  const answer = await waiting;
  expect(answer.headers.get("x-service-error")).toBe("client_gone");
  expect(answer).toMatchObject({ status: 504, text: expect.stringContaining(`Client ${silent.welcome.client}`) });
});

test("a silent client is 504, and its late answer reaches nobody", async () => {
  await using relay = await startTestRelay({ commandTimeoutMs: 100 });
  const slow = await puppet(relay.relay.attachLocal(relay.session, { name: "ann", role: "admin" }));
  const first = relay.get("layout");
  const { id } = await slow.next("execute");
  expect((await first).headers.get("x-service-error")).toBe("no_answer");
  const second = relay.post({ method: "getTiles", params: {} }, { "X-Service-Timeout": "20" });
  const { id: secondId } = await slow.next("execute");
  expect(secondId).not.toBe(id);
  const tiles = (key: number) => [{ key, type: "shell", id: 1, active: true }];
  slow.say({ type: "result", id, value: tiles(1) });
  slow.say({ type: "result", id: secondId, value: tiles(2) });
  slow.say({ type: "result", id: secondId, value: tiles(3) });
  expect(await second).toMatchObject({ status: 200, text: JSON.stringify({ result: tiles(2) }) });
});

test.each([
  ["another type", "getTiles", "admin", /^Client 1 answered getTiles with something else than its result \(result: /],
  ["nothing", "getTiles", undefined, /\(result: /],
  ["a wrong field deep inside", "getTiles", [{ key: 0, type: "shell", id: 1, active: true }], /\(result\.0\.key: /],
])("a client's answer of %s is 502, never passed on", async (_, method, value, sentence) => {
  await using relay = await startTestRelay();
  const strange = await puppet(relay.relay.attachLocal(relay.session, { name: "ann", role: "admin" }));
  const waiting = relay.post({ method, params: {} });
  const { id } = await strange.next("execute");
  strange.say({ type: "result", id, value });
  const { status, text, headers } = await waiting;
  expect([status, headers.get("x-service-error"), text]).toEqual([
    502,
    "client_failed",
    expect.stringMatching(sentence),
  ]);
});

test("a client that leaves the relay another method's work is 502", async () => {
  await using relay = await startTestRelay();
  const strange = await puppet(relay.relay.attachLocal(relay.session, { name: "ann", role: "admin" }));
  const waiting = relay.post({ method: "getTiles", params: {} });
  const { id } = await strange.next("execute");
  strange.say({ type: "delegate", id, op: "getAgentCost", params: {} });
  expect(await waiting).toMatchObject({ status: 502 });
});

test("what a client adds to a result is left out", async () => {
  await using relay = await startTestRelay();
  const newer = await puppet(relay.relay.attachLocal(relay.session, { name: "ann", role: "admin" }));
  const waiting = relay.post({ method: "getTiles", params: {} });
  const { id } = await newer.next("execute");
  const tile = { key: 1, type: "shell", id: 1, active: true };
  newer.say({ type: "result", id, value: [{ ...tile, mood: "good" }] });
  expect((await waiting).text).toBe(JSON.stringify({ result: [tile] }));
});

test("the whole request keeps its deadline, however late the client came", async () => {
  await using relay = await startTestRelay();
  const before = performance.now();
  const waiting = relay.get("layout", { "X-Service-Timeout": "1" });
  await until("the request to wait", () => performance.now() - before > 600);
  await puppet(relay.relay.attachLocal(relay.session, { name: "ann", role: "admin" }));
  expect((await waiting).headers.get("x-service-error")).toBe("no_answer");
  expect(performance.now() - before).toBeLessThan(1500);
});

test("an internal failure of the client is 502", async () => {
  await using relay = await startTestRelay();
  const broken = await puppet(relay.relay.attachLocal(relay.session, { name: "ann", role: "admin" }));
  const waiting = relay.get("layout");
  const { id } = await broken.next("execute");
  broken.say({ type: "failed", id, error: { code: "no-such-code", message: "it broke" } });
  expect(await waiting).toMatchObject({ status: 502, text: "it broke\n" });
});

test("the answer names whom it hit, also when it is a refusal", async () => {
  await using relay = await startTestRelay();
  await using one = await relay.join();
  const made = await relay.post({ method: "createShell", params: {} });
  const { shellId, key } = (JSON.parse(made.text) as { result: { shellId: number; key: number } }).result;
  const named = (name: string) => made.headers.get(`x-service-${name}`);
  expect([named("client"), named("shell"), named("tile")]).toEqual([String(one.id), String(shellId), String(key)]);
  const refused = await relay.post({ method: "focusTile", params: { key: 999 } });
  expect(refused).toMatchObject({ status: 404, text: "No tile 999. This client has: 1.\n" });
  expect(refused.headers.get("x-service-client")).toBe(String(one.id));
});

test("broadcastEvent with a target is 400", async () => {
  await using relay = await startTestRelay();
  await using one = await relay.join();
  await using two = await relay.join({ kind: "browser", over: "socket" });
  const aimed = { method: "broadcastEvent", params: { type: "x" }, target_client_id: one.id };
  expect(await relay.post(aimed)).toMatchObject({ status: 400 });
  expect(await relay.command("broadcastEvent", { type: "build.done", data: { ok: true } })).toEqual({ clients: 2 });
  for (const client of [one, two]) {
    expect((await client.event("plugin.event")).data).toMatchObject({ type: "build.done", data: { ok: true } });
  }
});
