import { expect, test } from "vitest";
import { Client } from "../../../../core/client/client.ts";
import { type ClientFrame, PROTOCOL_VERSION, REPLACED, type RelayFrame } from "../../../../core/protocol/frames.ts";
import type { ClientId, SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import { linkedPair } from "../../../../core/protocol/link.ts";
import type { Role } from "../../../../core/protocol/records.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));
const host = {
  kind: "browser",
  device: "test",
  toast: () => "log" as const,
  notify: () => "log" as const,
  viewport: () => ({ cols: 80, rows: 24 }),
} as const;

function welcome(role: Role = "admin", saved?: unknown): RelayFrame {
  const session = { id: "session-1" as SessionId, name: "s", owner: "ann", createdAt: new Date(0).toISOString() };
  const mirror = {
    session,
    clients: [],
    shells: [],
    chat: [],
    tunnels: [],
    agents: [],
    adoptRequests: [],
    roleRequests: [],
    questions: [],
    restrictions: { restrictShells: false, requests: [], allowed: [] },
    plugins: [],
  };
  return { type: "welcome", client: 1 as ClientId, name: "ann", role, resume: "token-1", mirror, saved };
}

/** A client, and the relay's end of its link in the test's hand. */
async function connected(client = new Client(host), greeting = welcome()) {
  const { client: near, relay } = linkedPair();
  const heard: ClientFrame[] = [];
  relay.onFrame((frame) => heard.push(frame));
  const joined = client.connect(near);
  relay.send(greeting);
  await joined;
  await settled();
  return { client, relay, heard };
}

test("the client announces itself and takes the identity that the relay assigns", async () => {
  const { client, heard } = await connected();
  expect(heard).toEqual([{ type: "hello", protocol: PROTOCOL_VERSION, device: "test", clientKind: "browser" }]);
  expect([client.connected, client.self, client.resumeToken]).toEqual([
    true,
    { id: 1, name: "ann", role: "admin" },
    "token-1",
  ]);
});

test("a link that closes before the welcome rejects", async () => {
  const { client: near, relay } = linkedPair();
  const joined = new Client(host).connect(near);
  relay.close("full");
  await expect(joined).rejects.toMatchObject({ message: "full" });
});

test("a getter returns its result, a broken command fails, a refusal keeps its code", async () => {
  const { relay, heard } = await connected();
  relay.send({ type: "execute", id: 7, method: "getRole", params: {} });
  relay.send({ type: "execute", id: 8, method: "focusTile", params: { key: 9 } });
  relay.send({ type: "execute", id: 9, method: "noSuchMethod", params: {} });
  relay.send({ type: "execute", id: 10, method: "setRatio", params: null });
  await settled();
  expect(heard.slice(1)).toMatchObject([
    { type: "result", id: 7, value: { role: "admin" } },
    { type: "failed", id: 8, error: { code: "unknown_tile" } },
    { type: "failed", id: 9, error: { code: "unknown_method" } },
    { type: "failed", id: 10, error: { code: "client_failed" } },
  ]);
});

test("a command asks the relay for an operation in the command's name, and answers with its result", async () => {
  const { relay, heard } = await connected();
  relay.send({ type: "execute", id: 5, method: "sendChat", params: { message: "hello" } });
  await settled();
  expect(heard.at(-1)).toEqual({ type: "ask", id: 1, op: "sendChat", params: { text: "hello" }, for: 5 });
  relay.send({ type: "answer", id: 1, value: { id: 9 } });
  await settled();
  expect(heard.at(-1)).toEqual({ type: "result", id: 5, value: { id: 9 }, hit: {} });
});

test("the executing client checks the role too", async () => {
  const { relay, heard } = await connected(new Client(host), welcome("reader"));
  relay.send({ type: "execute", id: 1, method: "createWorkspace", params: {} });
  await settled();
  expect(heard.at(-1)).toMatchObject({ type: "failed", id: 1, error: { code: "role_forbids" } });
});

test("every change of state is sent before the result", async () => {
  const { relay, heard } = await connected();
  relay.send({ type: "execute", id: 1, method: "createWorkspace", params: {} });
  await settled();
  expect(heard.slice(1).map(({ type }) => type)).toEqual(["state", "result"]);
});

test("a saved state is restored once; an inconsistent one is not", async () => {
  const { client: first } = await connected();
  await first.execute("createWorkspace", { name: "kept" });
  const saved = JSON.parse(JSON.stringify(first.state.now)) as unknown;
  const { client: second } = await connected(new Client(host), welcome("admin", saved));
  expect(second.state.now).toEqual(first.state.now);
  const { client: third } = await connected(new Client(host), welcome("admin", { workspaces: "broken" }));
  expect(third.state.now.workspaces).toHaveLength(1);
  const { client: again } = await connected(first, welcome("admin", undefined));
  expect(again.state.now.workspaces).toHaveLength(2);
});

test("after a lost connection the client resumes with its token and sends its current state", async () => {
  const { client, relay } = await connected();
  relay.close("cut");
  await settled();
  expect(client.connected).toBe(false);
  await expect(client.ask("sendChat", { text: "x" })).rejects.toMatchObject({ code: "no_client" });
  await client.execute("createWorkspace", {});
  const { heard } = await connected(client);
  expect(heard).toMatchObject([
    { type: "hello", resume: "token-1" },
    { type: "state", workspace: 1 },
  ]);
});

test("a pending request is rejected when the connection is lost", async () => {
  const { client, relay } = await connected();
  const question = client.ask("sendChat", { text: "x" });
  relay.close("cut");
  await expect(question).rejects.toMatchObject({ code: "client_gone", message: expect.stringContaining("cut") });
});

test("a replaced client does not resume again", async () => {
  const { client, relay } = await connected();
  relay.close(REPLACED);
  await settled();
  expect(client.resumeToken).toBeUndefined();
});

test("views are notified until they unsubscribe, and the client works without views", async () => {
  const { client } = await connected();
  let calls = 0;
  const stop = client.subscribe(() => calls++);
  await client.execute("createWorkspace", {});
  expect(calls).toBe(1);
  stop();
  await client.execute("createWorkspace", {});
  expect([calls, client.state.now.workspaces.length]).toEqual([1, 3]);
});

test("a tile that was opened to read the output of an ended shell stays when the shell changes", async () => {
  const shell = {
    ...{ id: 1 as ShellId, title: "bash", cwd: "/", command: "/bin/bash", pid: 7, cols: 80, rows: 24 },
    ...{ running: true, exitCode: null, ownerClientId: null, owner: null, hold: false as const },
    createdAt: new Date(0).toISOString(),
  };
  const { client, relay } = await connected();
  relay.send({ type: "diff", diff: { kind: "shell", shell } });
  await settled();
  const open = () => client.execute("openTile", { type: "shell", shell: 1 });
  const tiles = () => Object.values(client.state.now.tiles).map(({ type }) => type);
  await open();
  await settled();
  expect(tiles()).toHaveLength(1);
  const ended = { ...shell, running: false, exitCode: 0 };
  relay.send({ type: "diff", diff: { kind: "shell", shell: ended } });
  await settled();
  expect(tiles()).toEqual([]);
  await open();
  await settled();
  relay.send({ type: "diff", diff: { kind: "shell", shell: { ...ended, title: "renamed" } } });
  await settled();
  expect(tiles()).toHaveLength(1);
});
