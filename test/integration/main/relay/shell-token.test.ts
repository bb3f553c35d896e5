import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ClientFrame, RelayFrame } from "../../../../core/protocol/frames.ts";
import { PROTOCOL_VERSION } from "../../../../core/protocol/frames.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

test("the token in a real shell reads everything, and changes only its own shell, tiles and what it makes", async () => {
  await using relay = await startTestRelay();
  await using client = await relay.join();
  const mine = await shellWithToken(relay);
  const other = await relay.command<{ shellId: number; key: number }>("createShell");
  const say = (method: string, params: object, more: object = {}) =>
    relay.post({ method, params, ...more }, { "X-Service-Token": mine.token });

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
  ];
  for (const [method, params, more] of refused) {
    const answer = await say(method, params, more);
    expect([answer.status, answer.headers.get("x-service-error")], method).toEqual([403, "scope_forbids"]);
    expect(answer.text).toMatch(/keys create --name NAME/);
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

test("over HTTP beside the commands, a shell's token reads and nothing more", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const { token, shell } = await shellWithToken(relay);
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
  const me = await relay.request("GET", "/v1/whoami", { headers: { "X-Service-Token": token } });
  expect(JSON.parse(me.text)).toEqual({ result: { user: relay.relay.user, session: relay.session, shell } });
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
    const { shells } = lab.relay.relay.sessions.get(lab.relay.session).facts.now;
    expect(shells.map(({ running }) => running)).toEqual([true, true]);
  });

  test("and asks for it is refused", async () => {
    await using lab = await hostile();
    lab.puppet.send({ type: "ask", id: 1, for: lab.id, ...write(2) });
    const { error } = await until("the refusal", () =>
      lab.puppet.heard.find((frame): frame is RelayFrame & { type: "refused" } => frame.type === "refused"),
    );
    expect(error.code).toBe("scope_forbids");
    lab.puppet.send({ type: "result", id: lab.id, value: null });
    expect((await lab.answer).status).toBe(200);
  });
});

/** A client of our own hand has been asked to write to shell 1, for that shell's token. */
async function hostile() {
  const relay = await startTestRelay();
  const client = await relay.join();
  const mine = await shellWithToken(relay);
  await relay.command("createShell");
  await client.leave();
  const puppet = rawClient(relay);
  await until("the puppet to join", () => relay.relay.sessions.get(relay.session).clients.size === 1);
  const answer = relay.post({ method: "writeToShell", params: { data: "x" } }, { "X-Service-Token": mine.token });
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
async function shellWithToken(relay: TestRelay): Promise<{ shell: number; key: number; token: string }> {
  const file = join(relay.folder, "token");
  const command = `printf %s "$SERVICE_TOKEN" > ${file}`;
  const { shellId, key } = await relay.command<{ shellId: number; key: number }>("createShell", { command });
  const token = await until("the token", () => {
    try {
      return readFileSync(file, "utf8");
    } catch {
      return undefined;
    }
  });
  return { shell: shellId, key, token };
}
