import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { PROTOCOL_VERSION } from "../../../../core/protocol/frames.ts";
import { puppet } from "../../../support/puppet-client.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";

const open: WebSocket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.terminate();
});

const hello = { type: "hello", protocol: PROTOCOL_VERSION, device: "evil", clientKind: "browser" };

async function dial(relay: TestRelay): Promise<WebSocket> {
  const socket = new WebSocket(`${relay.url.replace("http", "ws")}/v1/sessions/${relay.session}/socket`, {
    headers: { "X-Service-Token": relay.key },
  });
  open.push(socket);
  await once(socket, "open");
  return socket;
}

/** The close code and reason that the relay gives for what is sent. */
async function closeAfter(relay: TestRelay, ...messages: (string | Buffer)[]): Promise<[number, string]> {
  const socket = await dial(relay);
  const closed = once(socket, "close");
  for (const message of messages) socket.send(message);
  const [code, reason] = (await closed) as [number, Buffer];
  return [code, String(reason)];
}

test.each<[string, (string | Buffer)[], number, string]>([
  ["no JSON", ["nonsense"], 4400, "malformed frame"],
  ["a binary message", [Buffer.from([1, 2, 3])], 4400, "malformed frame"],
  ["an unknown frame", ['{"type":"explode"}'], 4400, "malformed frame"],
  ["another frame before hello", ['{"type":"unlisten","shell":1}'], 4000, "the first frame must be hello"],
  ["another protocol", [JSON.stringify({ ...hello, protocol: 99 })], 4000, "reload the page"],
  ["a second hello", [JSON.stringify(hello), JSON.stringify(hello)], 4000, "a second hello"],
  ["too large a frame", [JSON.stringify({ ...hello, device: "x".repeat(1024 * 1024) })], 1009, "a frame is over 1 MiB"],
  [
    "a state that is nested without end",
    [
      JSON.stringify(hello),
      `{"type":"state","focus":null,"workspace":0,"saved":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    ],
    4400,
    "malformed frame",
  ],
])("%s closes the link, and the relay goes on", async (_what, messages, code, reason) => {
  await using relay = await startTestRelay();
  await using _one = await relay.join({ kind: "desktop" });
  expect(await closeAfter(relay, ...messages)).toEqual([code, expect.stringContaining(reason)]);
  expect(relay.errors).toEqual([]);
  expect(await relay.command("getRole", {}, _one.id)).toEqual({ role: "admin" });
});

test("frames about shells that are not there, and answers that nobody asked for, do nothing", async () => {
  await using relay = await startTestRelay();
  await using one = await relay.join({ kind: "desktop" });
  const socket = await dial(relay);
  const asked = new Promise<unknown>((resolve) => {
    socket.on("message", (data) => {
      const frame = JSON.parse(String(data)) as { type: string };
      if (frame.type === "refused") resolve(frame);
    });
  });
  for (const frame of [
    hello,
    { type: "listen", shell: 99, window: 1024 },
    { type: "acknowledge", shell: 99, bytes: 5 },
    { type: "unlisten", shell: 99 },
    { type: "result", id: 12345, value: 1 },
    { type: "failed", id: 12345, error: { code: "x", message: "y" } },
    { type: "delegate", id: 12345, op: "sendChat", params: { text: "forged" } },
    { type: "state", focus: null, workspace: 0, saved: { workspaces: "nonsense" } },
    { type: "ask", id: 1, op: "sendChat", params: { text: "", extra: 1 } },
  ]) {
    socket.send(JSON.stringify(frame));
  }
  expect(await asked).toMatchObject({ id: 1, error: { code: "invalid_params" } });
  expect(await relay.command("getChat", {}, one.id)).toEqual([]);
  expect(relay.errors).toEqual([]);
});

test.each(["toString", "getLayout", "splitShell", "getInvites", "__proto__"])(
  "what no client may ask is refused, and the link stays open: %s",
  async (op) => {
    await using relay = await startTestRelay();
    const client = await puppet(relay.relay.attachLocal(relay.session, { name: relay.relay.user, role: "admin" }));
    expect(await client.ask(op as "createShell", {})).toMatchObject({ error: { code: "unknown_method" } });
    expect(await client.ask("getAgentSessions", {})).toMatchObject({ type: "answer" });
  },
);

test.each([
  ["no key", "/v1/sessions/ID/socket", {}, 401],
  ["a wrong key", "/v1/sessions/ID/socket", { "X-Service-Token": "pb_x" }, 401],
  ["a key in the URL", "/v1/sessions/ID/socket?token=KEY", {}, 401],
  ["another user's key", "/v1/sessions/ID/socket", { "X-Service-Token": "THEIRS" }, 403],
  ["no such session", "/v1/sessions/nowhere00/socket", { "X-Service-Token": "KEY" }, 404],
  ["another path", "/v1/sessions/ID/remote/layout", { "X-Service-Token": "KEY" }, 404],
  ["another site", "/v1/sessions/ID/socket", { "X-Service-Token": "KEY", Origin: "https://evil.example" }, 403],
  ["no cookie", "/s/ID/socket", {}, 401],
])("a WebSocket with %s is refused before it opens", async (_what, path, headers, status) => {
  await using relay = await startTestRelay();
  const theirs = relay.relay.keys.create({ owner: "another user", name: "theirs" }).secret;
  const fill = (text: string) => text.replace("ID", relay.session).replace("KEY", relay.key).replace("THEIRS", theirs);
  const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
  const socket = new WebSocket(relay.url.replace("http", "ws") + fill(path), { headers: filled });
  socket.on("error", () => undefined);
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, { statusCode: number }];
  expect(response.statusCode).toBe(status);
  socket.terminate();
});
