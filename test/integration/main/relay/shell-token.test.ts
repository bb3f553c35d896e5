import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { Client } from "../../../../core/client/client.ts";
import type { ClientFrame, RelayFrame } from "../../../../core/protocol/frames.ts";
import { PROTOCOL_VERSION } from "../../../../core/protocol/frames.ts";
import type { AgentInShell } from "../../../../main/relay/session/ports.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

test("neither a match nor a workspace's name reaches what the token may not change", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const mine = await shellWithToken(relay);
  await relay.command("restrictShells", { state: "on" });
  const victim = await relay.command<{ shellId: number }>("createShell", { exec: ["cat"], title: "victim" });
  await relay.command("createWorkspace", { name: "theirs", focus: false });
  const say = (method: string, params: object) => relay.post({ method, params }, { "X-Service-Token": mine.token });
  for (const [method, params] of [
    ["writeToShell", { match: "title:victim", data: "typed\\n" }],
    ["sendKeys", { match: "title:victim", keys: ["typed", "Enter"] }],
    ["sendKeys", { id: victim.shellId, keys: ["typed", "Enter"] }],
    ["broadcastInput", { data: "typed\\n", ids: [victim.shellId] }],
    ["closeShell", { match: "title:victim" }],
    ["respawnShell", { match: "title:victim", force: true }],
    ["adoptShell", { match: "title:victim" }],
    ["switchWorkspace", { name: "theirs" }],
  ] as const) {
    const answer = await say(method, params);
    expect([method, answer.status, answer.headers.get("x-service-error")]).toEqual([method, 403, "scope_forbids"]);
  }
  const { output } = await relay.command<{ output: string }>("getShellOutput", { id: victim.shellId });
  expect(output).toBe("");
  expect((await say("sendKeys", { keys: ["C-l"] })).status).toBe(200);
});

const claude: AgentInShell = { run: "1/1", agentType: "claude", folder: "/project" };

test.each([
  ["an agent in it", /claude runs in shell \d+, and has not been allowed to control the session\. The user was asked/],
  ["the session's setting", /all shells of this session are restricted\. .*restrict-shells off/],
  ["an admin's word for it", /restrict-shells off --shell \d+/],
  ["the key that made it", /restrict-shells off --shell \d+/],
] as const)("restricted by %s, a shell reads everything and changes only what is its own", async (by, reason) => {
  const agents: AgentInShell[] = [];
  await using relay = await startTestRelay({ findAgents: async () => agents });
  await using client = await relay.join();
  const restrictions = by === "the key that made it" ? ({ ownShells: true } as const) : {};
  const maker = relay.relay.keys.create({ owner: relay.relay.user, name: "maker", restrictions });
  const mine = await shellWithToken(relay, { "X-Service-Token": maker.secret });
  const other = await relay.command<{ shellId: number; key: number }>("createShell");
  const say = (method: string, params: object, more: object = {}) =>
    relay.post({ method, params, ...more }, { "X-Service-Token": mine.token });

  if (by === "an agent in it") agents.push(claude);
  if (by === "the session's setting") await relay.command("restrictShells", { state: "on" });
  if (by === "an admin's word for it") await relay.command("restrictShells", { state: "on", shell: mine.shell });

  for (const path of ["layout", "tiles", "workspaces", "shells", "users", "agents", "chat", "tunnels"]) {
    expect((await relay.get(path, { "X-Service-Token": mine.token })).status, path).toBe(200);
  }
  const output = await say("getShellOutput", { id: other.shellId, plain: true });
  expect(output.status).toBe(200);

  const refused: [string, object, object?][] = [
    ["writeToShell", { id: other.shellId, data: "x" }],
    ["writeToShell", { data: "x" }, { source_shell_id: other.shellId }],
    ["runCommand", { command: "true", tile: other.key }],
    ["runCommand", { command: "true" }, { source_shell_id: other.shellId }],
    ["closeShell", { id: other.shellId }],
    ["adoptShell", { id: other.shellId }],
    ["closeTile", { tile: other.key }],
    ["closeTile", {}, { source_shell_id: other.shellId }],
    ["swapTiles", { keyA: mine.key, keyB: other.key }],
    ["moveTile", { key: mine.key, target: other.key }],
    ["resetLayout", {}],
    ["setup", { grid: "1x1", force: true }],
    ["createWorkspace", {}],
    ["focusDirection", { direction: "left" }],
    ["switchWorkspace", { index: 0 }],
    ["answerAdopt", { request: 1 }],
    ["removePlugin", { plugin: "example" }],
  ];
  for (const [method, params, more] of refused) {
    const answer = await say(method, params, more);
    expect([answer.status, answer.headers.get("x-service-error")], method).toEqual([403, "scope_forbids"]);
    expect(answer.text).toMatch(reason);
  }
  for (const [method, params] of [
    ["restrictShells", { state: "off" }],
    ["restrictShells", { state: "off", shell: mine.shell }],
    ["answerAgent", { request: 1, answer: "once" }],
    ["forgetAgent", { agentType: "claude", folder: "/project" }],
  ] as const) {
    expect((await say(method, params)).headers.get("x-service-error"), method).toBe("scope_forbids");
  }
  expect((await relay.command<{ running: boolean }[]>("getShells")).every(({ running }) => running)).toBe(true);

  expect((await say("renameTile", { name: "agent" })).text).toBe(`{"result":{"key":${mine.key}}}`);
  for (const [method, params] of [
    ["sendChat", { message: "done" }],
    ["toast", { message: "done" }],
    ["notify", { title: "done" }],
    ["broadcastEvent", { type: "done" }],
  ] as const) {
    expect((await say(method, params)).status, method).toBe(200);
  }
  const split = await say("splitShell", { direction: "vertical" });
  const child = (JSON.parse(split.text) as { result: { key: number; shellId: number } }).result;
  const ran = await say("runCommand", { command: "echo $((6*7))", tile: child.key, wait: true, timeout: 30 });
  expect(JSON.parse(ran.text)).toMatchObject({ result: { exitCode: 0, output: expect.stringMatching(/^42\r?\n$/) } });
  expect((await say("closeTile", { tile: child.key })).status).toBe(200);
  expect((await say("closeShell", { id: child.shellId })).status).toBe(200);

  await relay.command("writeToShell", { id: mine.shell, data: "exit\\n" });
  await until("the end of the shell", () =>
    client.events.some((event) => event.type === "shell.exited" && event.data.shellId === mine.shell),
  );
  expect((await say("getShells", {})).status).toBe(401);
});

test("a command for the busy shell that its call comes from says so, with a key of any kind", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const mine = await shellWithToken(relay);
  await relay.command("writeToShell", { id: mine.shell, data: "echo begun-$((40+2)); sleep 60\\n" });
  await relay.command("waitFor", { id: mine.shell, text: "begun-42", since: 0 });
  const params = { command: "ls", tile: mine.key, wait: true };
  const token = { "X-Service-Token": mine.token };
  const isOwn = `Shell ${mine.shell} is the one that you are in, so this call keeps it busy`;
  const cases: readonly (readonly [more: object, headers: Record<string, string>, said: string])[] = [
    [{}, token, isOwn],
    [{ source_shell_id: mine.shell }, {}, isOwn],
    [{}, {}, `is running in shell ${mine.shell}`],
  ];
  for (const [more, headers, said] of cases) {
    const answer = await relay.post({ method: "runCommand", params, ...more }, headers);
    expect([answer.headers.get("x-service-error"), answer.text]).toEqual(["shell_busy", expect.stringContaining(said)]);
  }
});

test("over HTTP beside the commands, a restricted shell reads and nothing more", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const { token, shell } = await shellWithToken(relay);
  await relay.command("restrictShells", { state: "on" });
  const own = `/v1/sessions/${relay.session}`;
  const ask = async (verb: string, path: string, body?: object) =>
    (await relay.request(verb, path, { headers: { "X-Service-Token": token }, ...(body && { body }) })).status;
  expect(await ask("GET", "/v1/sessions")).toBe(200);
  expect(await ask("GET", `${own}/events?follow=false`)).toBe(200);
  expect(await ask("GET", `${own}/plugins`)).toBe(200);
  expect(await ask("POST", "/v1/sessions", { name: "x" })).toBe(403);
  expect(await ask("PATCH", own, { name: "x" })).toBe(403);
  expect(await ask("DELETE", own)).toBe(403);
  expect(await ask("GET", `${own}/invites`)).toBe(403);
  expect(await ask("POST", `${own}/invites`, {})).toBe(403);
  expect(await ask("DELETE", `${own}/plugins/x`)).toBe(403);
  expect(await ask("GET", "/v1/audit")).toBe(403);
  expect(await ask("GET", "/v1/metrics")).toBe(403);
  expect(await ask("GET", "/v1/keys")).toBe(403);
  expect(await ask("POST", "/v1/keys", { name: "x" })).toBe(403);
  expect(await ask("DELETE", "/v1/keys/test")).toBe(403);
  expect(await ask("GET", "/v1/logins")).toBe(403);
  expect(await ask("POST", "/v1/logins/ABCD-EFGH", { allow: true })).toBe(403);
  expect(relay.relay.keys.list().map(({ name }) => name)).toEqual(["test"]);
  const me = await relay.request("GET", "/v1/whoami", { headers: { "X-Service-Token": token } });
  const restricted = "The reason: all shells of this session are restricted.";
  expect(JSON.parse(me.text)).toEqual({
    result: { user: relay.relay.user, session: relay.session, shell, restricted },
  });
});

test("a shell that its owner opened may do what its owner may, in its own session", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const { token, shell } = await shellWithToken(relay);
  const own = `/v1/sessions/${relay.session}`;
  const ask = (verb: string, path: string, body?: object) =>
    relay.request(verb, path, { headers: { "X-Service-Token": token }, ...(body && { body }) });
  const status = async (verb: string, path: string, body?: object) => (await ask(verb, path, body)).status;
  expect(await status("PATCH", own, { name: "mine" })).toBe(200);
  expect(await status("POST", `${own}/invites`, {})).toBe(201);
  expect(await status("GET", "/v1/audit")).toBe(200);
  const made = await ask("POST", "/v1/sessions", { name: "other" });
  const { id } = (JSON.parse(made.text) as { result: { id: string } }).result;
  expect((await ask("DELETE", `/v1/sessions/${id}`)).headers.get("x-service-error")).toBe("not_owner");
  expect(await status("POST", "/v1/keys", { name: "by hand", restrictions: { readOnly: true }, ttl: 60 })).toBe(201);
  expect(await status("POST", "/v1/keys", { name: "", scopes: [] })).toBe(400);
  expect(await status("DELETE", "/v1/keys/by%20hand")).toBe(200);
  expect(await status("DELETE", "/v1/keys/by%20hand")).toBe(404);
  expect(await status("POST", "/v1/logins/ABCD-EFGH", { allow: true })).toBe(404);
  const me = await ask("GET", "/v1/whoami");
  expect(JSON.parse(me.text)).toEqual({ result: { user: relay.relay.user, session: relay.session, shell } });
  // A connection would outlive the call, and with it what the shell may.
  expect(await socketStatus(relay, token)).toBe(403);
});

test("a guest's shell may do what the guest may: nothing for the owner only, nothing on others' screens", async () => {
  await using relay = await startTestRelay();
  await using owner = await relay.join();
  const { invites } = relay.relay;
  const { secret } = invites.create({ session: relay.session, role: "writer", uses: 1, ttlMs: 60_000 });
  const { guest } = invites.accept(relay.session, secret, "bob");
  const link = relay.relay.attachLocal(relay.session, {
    name: guest.name,
    role: guest.role,
    guest: guest.id,
  });
  const bob = new Client({
    kind: "browser",
    device: "test",
    toast: () => "log",
    notify: () => "log",
    viewport: () => ({ cols: 160, rows: 48 }),
  });
  await bob.connect(link);
  const mine = await shellWithToken(relay, {}, bob.self?.id);
  const theirs = await relay.command<{ shellId: number; key: number }>("createShell", {}, owner.id);
  const say = async (method: string, params: object, target?: number) => {
    const body = { method, params, ...(target === undefined ? {} : { target_client_id: target }) };
    const answer = await relay.post(body, { "X-Service-Token": mine.token });
    return answer.headers.get("x-service-error") ?? answer.status;
  };
  expect(await say("createWorkspace", {})).toBe(200);
  expect(await say("renameTile", { name: "x", key: theirs.key }, owner.id)).toBe("scope_forbids");
  expect(await say("closeShell", { id: theirs.shellId })).toBe("not_your_shell");
  expect(await say("closeShell", { id: theirs.shellId }, owner.id)).toBe("scope_forbids");
  expect(await say("restrictShells", { state: "on" })).toBe("role_forbids");
  for (const path of ["/v1/keys", `/v1/sessions/${relay.session}/invites`, "/v1/sessions"]) {
    const answer = await relay.request("POST", path, {
      headers: { "X-Service-Token": mine.token },
      body: { name: "x" },
    });
    expect(answer.headers.get("x-service-error"), path).toBe("scope_forbids");
  }
  bob.disconnect("done");
});

describe("a client that would do more for the caller than the caller may", () => {
  test.each([
    ["writes to another shell", write(2)],
    ["closes another shell", { op: "closeShell", params: { shell: 2 } } as const],
    ["answers for a person", { op: "answerAdopt", params: { request: 1, allow: true } } as const],
  ])("and delegates what %s is refused", async (_, operation) => {
    await using lab = await hostile();
    lab.puppet.send({ type: "delegate", id: lab.id, ...operation });
    expect((await lab.answer).headers.get("x-service-error")).toBe("scope_forbids");
    const { shells } = lab.relay.relay.sessions.get(lab.relay.session).state.now;
    expect(shells.map(({ running }) => running)).toEqual([true, true]);
  });

  test("and asks for it is refused", async () => {
    await using lab = await hostile();
    lab.puppet.send({ type: "ask", id: 1, for: lab.id, ...write(2) });
    const { error } = await until("the refusal", () =>
      lab.puppet.heard.find((frame): frame is RelayFrame & { type: "refused" } => frame.type === "refused"),
    );
    expect(error.code).toBe("scope_forbids");
    lab.puppet.send({ type: "result", id: lab.id, value: { key: 1 } });
    expect((await lab.answer).status).toBe(200);
  });
});

/** A client of our own hand has been asked to open a tile, for the token of shell 1. */
async function hostile() {
  const relay = await startTestRelay();
  const client = await relay.join();
  const mine = await shellWithToken(relay);
  await relay.command("restrictShells", { state: "on" });
  await relay.command("createShell");
  await client.leave();
  const puppet = rawClient(relay);
  await until("the puppet to join", () => relay.relay.sessions.get(relay.session).clients.size === 1);
  const answer = relay.post({ method: "openTile", params: { type: "browser" } }, { "X-Service-Token": mine.token });
  const { id, source } = await until("the command", () =>
    puppet.heard.find((frame): frame is RelayFrame & { type: "execute" } => frame.type === "execute"),
  );
  expect(source).toBe(mine.shell);
  return { relay, puppet, answer, id, [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose]() };
}

function write(shell: number) {
  return { op: "writeShell", params: { shell, data: "x" } } as const;
}

/** Speaks the client's side of the protocol by hand. */
function rawClient({ relay, session }: TestRelay) {
  const link = relay.attachLocal(session, { name: "puppet", role: "admin" });
  const heard: RelayFrame[] = [];
  link.onFrame((frame) => {
    if (frame.type !== "bytes") heard.push(frame);
  });
  link.send({ type: "hello", protocol: PROTOCOL_VERSION, device: "puppet", clientKind: "desktop" });
  return { heard, send: (frame: ClientFrame) => link.send(frame) };
}

/** A real shell and the token that its programs have. */
async function shellWithToken(
  relay: TestRelay,
  headers: Record<string, string> = {},
  target?: number,
): Promise<{ shell: number; key: number; token: string }> {
  const file = join(relay.folder, "token");
  const command = `printf %s "$SERVICE_TOKEN" > ${file}`;
  const body = {
    method: "createShell",
    params: { command },
    ...(target === undefined ? {} : { target_client_id: target }),
  };
  const made = await relay.post(body, headers);
  const { shellId, key } = (JSON.parse(made.text) as { result: { shellId: number; key: number } }).result;
  const token = await until("the token", () => {
    try {
      // The shell makes the file before it writes.
      return readFileSync(file, "utf8") || undefined;
    } catch {
      return undefined;
    }
  });
  return { shell: shellId, key, token };
}

/** What a WebSocket with this token gets: 101, or the status of the refusal. */
function socketStatus({ url, session }: TestRelay, token: string): Promise<number> {
  const address = `${url.replace("http", "ws")}/v1/sessions/${session}/socket`;
  const socket = new WebSocket(address, { headers: { "X-Service-Token": token } });
  return new Promise((resolve) => {
    socket.on("open", () => {
      socket.terminate();
      resolve(101);
    });
    socket.on("unexpected-response", (_request, response) => {
      socket.terminate();
      resolve(response.statusCode ?? 0);
    });
    socket.on("error", () => undefined);
  });
}

test("a shell's token is good for its own session, and dies with the shell", async () => {
  await using relay = await startTestRelay();
  await using client = await relay.join();
  const { shellId } = await relay.command<{ shellId: number }>("createShell");
  const printed = await relay.command<{ output: string }>("runCommand", { command: "echo $SERVICE_TOKEN", wait: true });
  const token = { "X-Service-Token": printed.output.trim() };
  expect(token["X-Service-Token"]).toMatch(/^pbs_/);
  expect(await relay.get("chat", token)).toMatchObject({ status: 200 });
  const other = relay.relay.sessions.create(relay.relay.user, "other");
  const elsewhere = await relay.request("GET", `/v1/sessions/${other.id}/remote/chat`, { headers: token });
  expect(elsewhere).toMatchObject({ status: 403 });
  const close = await relay.request("DELETE", `/v1/sessions/${other.id}`, { headers: token });
  expect([close.status, close.headers.get("x-service-error")]).toEqual([403, "not_owner"]);
  await relay.command("restrictShells", { state: "on", shell: shellId });
  const made = await relay.request("POST", "/v1/sessions", { headers: token, body: { name: "x" } });
  expect([made.status, made.headers.get("x-service-error")]).toEqual([403, "scope_forbids"]);
  await relay.command("writeToShell", { id: shellId, data: "exit\\n" });
  await client.event("shell.exited");
  expect(await relay.get("chat", token)).toMatchObject({ status: 401 });
});
