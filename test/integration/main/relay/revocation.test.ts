import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { CLOSE_UNAUTHENTICATED, PROTOCOL_VERSION } from "../../../../core/protocol/frames.ts";
import { Keys } from "../../../../main/relay/access/keys.ts";
import { openStore } from "../../../../main/relay/store/open-store.ts";
import { Store } from "../../../../main/relay/store/store.ts";
import { type Answer, startTestRelay, type TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

/** Seconds: what ends these waits is the end of the credential. */
const LONG = 3600;

interface OpenThings {
  /** Resolves with the code of each thing when it has ended, by its name. */
  readonly ended: Promise<Readonly<Record<string, unknown>>>;
}

test.each<[string, (door: { relay: TestRelay; name: string }) => void, ttlMs?: number]>([
  ["revoked", ({ relay, name }) => void relay.relay.keys.revoke(name)],
  ["revoked by another process", ({ relay, name }) => inAnotherProcess(relay, (keys) => keys.revoke(name))],
  [
    "restricted by another process",
    ({ relay, name }) => changeRow(relay, "UPDATE keys SET restrictions = '{\"readOnly\":true}' WHERE name = ?", name),
  ],
  [
    "made to expire by another process",
    ({ relay, name }) =>
      changeRow(relay, "UPDATE keys SET expires_at = '2001-01-01T00:00:00.000Z' WHERE name = ?", name),
  ],
  ["left to expire", () => undefined, 3000],
])("a key that is %s ends everything that is open with it", async (_how, end, ttlMs) => {
  await using relay = await startTestRelay();
  await using desktop = await relay.join();
  const { keys, user } = relay.relay;
  const name = "to end";
  const { secret } = keys.create({ owner: user, name, ...(ttlMs === undefined ? {} : { ttlMs }) });
  const { shellId, other, tile } = await twoShells(relay);
  const socket = await openSocket(relay, secret);
  const things = await openThings(relay, secret, { shell: shellId, tile, other, client: desktop.id });
  end({ relay, name });
  expect(await things.ended).toEqual(allUnauthenticated);
  expect(await socket.closed).toEqual([CLOSE_UNAUTHENTICATED, expect.stringContaining("no longer valid")]);
  expect(relay.relay.sessions.get(relay.session).clients.size).toBe(1);
  await until("the shells' waits to be given up", async () => (await waitsOf(relay, shellId)) === 200);
  const [entry] = relay.relay.audit.list({ limit: 10, text: "credential ended" });
  expect(entry).toMatchObject({ who: name, credential: "key", params: { closed: expect.any(Number) } });
});

test("a shell's end ends everything that is open with its token", async () => {
  await using relay = await startTestRelay();
  await using desktop = await relay.join();
  const { shellId, other, tile, token } = await twoShells(relay);
  const things = await openThings(relay, token, { shell: other, tile, other, client: desktop.id });
  await relay.command("closeShell", { id: shellId });
  expect(await things.ended).toEqual(allUnauthenticated);
});

test.each([
  ["the shell", (shell: number) => ({ state: "on", shell })],
  ["all shells", () => ({ state: "on" })],
])(
  "restricting %s ends everything that is open with its token, and what it may still read opens again",
  async (_what, params) => {
    await using relay = await startTestRelay();
    await using desktop = await relay.join();
    const { shellId, other, tile, token } = await twoShells(relay);
    const things = await openThings(relay, token, { shell: other, tile, other, client: desktop.id });
    await relay.command("restrictShells", params(shellId));
    expect(await things.ended).toEqual(allUnauthenticated);
    expect(await relay.get("chat", { "X-Service-Token": token })).toMatchObject({ status: 200 });
  },
);

test("a program that ends its own shell or restricts itself is still answered", async () => {
  await using relay = await startTestRelay();
  await using _desktop = await relay.join();
  const { shellId, token } = await twoShells(relay);
  const restricted = await relay.post(
    { method: "restrictShells", params: { state: "on", shell: shellId } },
    { "X-Service-Token": token },
  );
  expect(restricted).toMatchObject({ status: 200 });
  const closed = await relay.post({ method: "closeShell", params: { id: shellId } }, { "X-Service-Token": token });
  expect(closed).toMatchObject({ status: 200 });
});

test("a command that waits for a client ends with its key", async () => {
  await using relay = await startTestRelay();
  const { keys, user } = relay.relay;
  const { secret } = keys.create({ owner: user, name: "to end" });
  const answer = relay.post(
    { method: "getTiles", params: {} },
    { "X-Service-Token": secret, "X-Service-Timeout": "60" },
  );
  const lifetime = () => keys.lifetimeOf(keys.verify(secret, "api") ?? { user, scheme: "api", scopes: [] });
  await until("the command to wait", () => (lifetime()?.holders ?? 0) > 0);
  keys.revoke("to end");
  expect(codeOf(await answer)).toEqual([401, "unauthenticated"]);
});

test("a key that is revoked while the body of its request arrives executes nothing", async () => {
  await using relay = await startTestRelay();
  await using _desktop = await relay.join();
  const { keys, user } = relay.relay;
  const { secret } = keys.create({ owner: user, name: "to end" });
  const calls: [string, object][] = [
    [`/v1/sessions/${relay.session}/remote/command`, { method: "sendChat", params: { message: "late" } }],
    ["/v1/sessions", { name: "late" }],
  ];
  for (const [path, body] of calls) {
    const made = keys.create({ owner: user, name: `for ${path}` });
    const { send, answer } = slowRequest(relay, path, made.secret);
    await send("{");
    inAnotherProcess(relay, (others) => others.revoke(made.key.id));
    await delay(150);
    await send(JSON.stringify(body).slice(1), true);
    expect(await answer, path).toBe(401);
  }
  expect(keys.verify(secret, "api")).toBeDefined();
  expect(await relay.command("getChat")).toEqual([]);
  expect(relay.relay.sessions.all()).toHaveLength(1);
});

test("a key that is valid for longer than a timer can count ends nothing early", async () => {
  await using relay = await startTestRelay();
  const { keys, user } = relay.relay;
  const { secret } = keys.create({ owner: user, name: "years", ttlMs: 10 * 365 * 24 * 3_600_000 });
  const socket = await openSocket(relay, secret);
  await delay(600);
  expect(relay.relay.sessions.get(relay.session).clients.size).toBe(1);
  keys.revoke("years");
  expect(await socket.closed).toEqual([CLOSE_UNAUTHENTICATED, expect.any(String)]);
});

const allUnauthenticated = {
  events: { code: "unauthenticated", reason: expect.stringContaining("no longer valid") },
  output: { code: "unauthenticated", reason: expect.stringContaining("no longer valid") },
  wait: [401, "unauthenticated"],
  run: [401, "unauthenticated"],
};

interface TwoShells {
  readonly shellId: number;
  readonly other: number;
  /** Tile of the second shell. */
  readonly tile: number;
  /** Token of the first one. */
  readonly token: string;
}

/** A shell with its token, and a second one. */
async function twoShells(relay: TestRelay): Promise<TwoShells> {
  const { shellId } = await relay.command<{ shellId: number }>("createShell");
  const printed = await relay.command<{ output: string }>("runCommand", {
    command: "echo $SERVICE_TOKEN",
    wait: true,
  });
  const { shellId: other, key: tile } = await relay.command<{ shellId: number; key: number }>("createShell");
  return { shellId, other, tile, token: printed.output.trim() };
}

/** Opens one of each kind with the credential; resolves when all of them are open. */
async function openThings(
  relay: TestRelay,
  secret: string,
  { shell, tile, other, client }: { shell: number; tile: number; other: number; client: number },
): Promise<OpenThings> {
  const headers = { "X-Service-Token": secret };
  const session = `${relay.url}/v1/sessions/${relay.session}`;
  const [events, output] = await Promise.all([
    fetch(`${session}/events`, { headers }),
    fetch(`${session}/shells/${shell}/output`, { headers }),
  ]);
  expect([events.status, output.status]).toEqual([200, 200]);
  const wait = relay.post({ method: "waitFor", params: { id: shell, text: "never", timeout: LONG } }, headers);
  const run = relay.post(
    {
      method: "runCommand",
      params: { tile, command: "echo began-$((40+2)); sleep 600", wait: true, timeout: LONG },
      target_client_id: client,
    },
    headers,
  );
  const caller = relay.relay.keys.verify(secret, "api");
  await until("everything to be open", () => {
    const holders = caller === undefined ? 0 : (relay.relay.keys.lifetimeOf(caller)?.holders ?? 0);
    // One each for the streams and for the waits.
    return holders >= 4;
  });
  // Its parts are asked one by one, each with the rights of that moment.
  await until("the command to run", async () => {
    const { output: printed } = await relay.command<{ output: string }>("getShellOutput", { id: other });
    return printed.includes("began-42");
  });
  const ended = Promise.all([closedEvent(events), closedEvent(output), wait.then(codeOf), run.then(codeOf)]);
  return {
    ended: ended.then(([ofEvents, ofOutput, ofWait, ofRun]) => ({
      events: ofEvents,
      output: ofOutput,
      wait: ofWait,
      run: ofRun,
    })),
  };
}

/** The data of the last event of a stream, which must be `closed`. */
async function closedEvent(response: Response): Promise<unknown> {
  const blocks = (await response.text()).trim().split("\n\n");
  const last = blocks.at(-1) ?? "";
  expect(last).toMatch(/^event: closed\n/);
  return JSON.parse(last.split("data: ")[1] ?? "").data;
}

function codeOf({ status, headers }: Answer): [number, string | null] {
  return [status, headers.get("x-service-error")];
}

async function openSocket(relay: TestRelay, secret: string) {
  const address = `${relay.url.replace("http", "ws")}/v1/sessions/${relay.session}/socket`;
  const socket = new WebSocket(address, { headers: { "X-Service-Token": secret } });
  const closed = once(socket, "close").then(([code, reason]) => [code, String(reason)]);
  await once(socket, "open");
  const { clients } = relay.relay.sessions.get(relay.session);
  const before = clients.size;
  socket.send(JSON.stringify({ type: "hello", protocol: PROTOCOL_VERSION, device: "test", clientKind: "browser" }));
  await until("the client to be welcomed", () => clients.size === before + 1);
  return { socket, closed };
}

/** Status of one more wait in the shell, which is refused while too many others wait. */
async function waitsOf(relay: TestRelay, shellId: number): Promise<number> {
  return (await relay.post({ method: "waitFor", params: { id: shellId, idle: 1 } })).status;
}

function inAnotherProcess(relay: TestRelay, act: (keys: Keys) => void): void {
  const { database } = openStore(relay.folder);
  using store = new Store(database);
  act(new Keys(store.keys));
}

function changeRow(relay: TestRelay, statement: string, name: string): void {
  const { database } = openStore(relay.folder);
  database.prepare(statement).run([name]);
  database.close();
}

/** A request whose body is sent in pieces. */
function slowRequest(relay: TestRelay, path: string, secret: string) {
  let push: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      push = controller;
    },
  });
  const response = fetch(relay.url + path, {
    method: "POST",
    headers: { "X-Service-Token": secret, "Content-Type": "application/json" },
    body,
    duplex: "half",
  } as RequestInit);
  const { keys } = relay.relay;
  const usedAt = () => keys.list().find(({ name }) => name === `for ${path}`)?.lastUsedAt;
  return {
    answer: response.then(({ status }) => status),
    async send(text: string, last = false) {
      push?.enqueue(new TextEncoder().encode(text));
      if (last) push?.close();
      else await until("the key to be accepted", () => usedAt() !== null);
    },
  };
}
