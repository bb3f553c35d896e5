import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { TestRelay } from "../../../../support/test-relay.ts";
import { startPaperRelay } from "../paper-relay.ts";

const SHORTCUTS = ["layout", "tiles", "workspaces", "shells", "users", "agents", "chat", "tunnels"];

test("the eight shortcuts answer as JSON", async () => {
  await using relay = await startPaperRelay();
  await using _one = await relay.join();
  for (const path of SHORTCUTS) {
    const answer = await relay.get(path);
    expect([answer.status, answer.headers.get("content-type")], path).toEqual([200, "application/json; charset=utf-8"]);
    expect(Object.keys(JSON.parse(answer.text)), path).toEqual(["result"]);
  }
});

test("another method is 405 with Allow, another path 404", async () => {
  await using relay = await startPaperRelay();
  const remote = `/v1/sessions/${relay.session}/remote`;
  for (const [method, path, allow] of [
    ["GET", `${remote}/command`, "POST"],
    ["POST", `${remote}/layout`, "GET, HEAD"],
    ["PUT", `/v1/sessions/${relay.session}`, "PATCH, DELETE"],
    ["DELETE", "/v1/sessions", "GET, HEAD, POST"],
  ] as const) {
    const answer = await relay.request(method, path, method === "GET" ? {} : { body: {} });
    expect([answer.status, answer.headers.get("allow")], path).toEqual([405, allow]);
  }
  for (const path of ["/", "/v2/sessions", `${remote}/nothing`, `${remote}/LAYOUT`, "/v1/sessions/%zz/remote/layout"]) {
    const answer = await relay.request("GET", path);
    expect([answer.status, answer.headers.get("content-type")], path).toEqual([404, "text/plain; charset=utf-8"]);
  }
});

test.each([
  ["a body over 1 MiB", 413, { "Content-Type": "application/json" }, JSON.stringify({ x: "y".repeat(1024 * 1024) })],
  ["another content type", 415, { "Content-Type": "text/plain" }, "{}"],
  ["malformed JSON", 400, { "Content-Type": "application/json" }, '{"method":'],
  ["a list", 400, { "Content-Type": "application/json" }, "[]"],
  ["a text", 400, { "Content-Type": "application/json" }, '"getLayout"'],
  ["no method", 400, { "Content-Type": "application/json" }, '{"params":{}}'],
  ["no params", 400, { "Content-Type": "application/json" }, '{"method":"getLayout"}'],
  ["too much nesting", 400, { "Content-Type": "application/json" }, `${"[".repeat(9999)}${"]".repeat(9999)}`],
])("%s is %i with one sentence", async (_what, status, headers, body) => {
  await using relay = await startPaperRelay();
  const answer = await relay.post(body, headers);
  expect(answer).toMatchObject({ status, text: expect.stringMatching(/^[^\n]+\.\n$/) });
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(answer.text).not.toMatch(/\bat .*:\d+|node_modules|\/work\//);
  expect(relay.errors).toEqual([]);
});

test("bad requests get the sentences of the specification", async () => {
  await using relay = await startPaperRelay();
  await using _one = await relay.join();
  const post = async (method: string, params: unknown, more: object = {}) =>
    (await relay.post({ method, params, ...more })).text.trim();
  expect(await post("setRatio", { ratio: 2 })).toBe("params.ratio: expected a number from 0.1 to 0.9, got 2.");
  expect(await post("getLayuot", {})).toBe('No method "getLayuot". Did you mean getLayout?');
  expect(await post("getLayout", {}, { target_client_id: -1 })).toMatch(/^body.target_client_id: expected .*, got -1/);
  expect(await post("closeTile", { tile: 999 })).toBe("No tile 999. This client has no tiles.");
  expect(await post("__proto__", {})).toMatch(/^No method "__proto__"/);
  expect(await post("getLayout", [])).toMatch(/^body.params: expected an object/);
});

test("what is not HTTP is answered as such, and the relay goes on", async () => {
  await using relay = await startPaperRelay();
  await using _one = await relay.join();
  expect(await raw(relay, "this is not HTTP\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
  expect(await raw(relay, `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nBad Header\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  const cutShort = `POST /v1/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`;
  expect(await raw(relay, cutShort)).toMatch(/^HTTP\/1\.1 400 /);
  expect(await relay.get("chat")).toMatchObject({ status: 200 });
});

test("everything is served below the base path as well", async () => {
  await using relay = await startPaperRelay({ basePath: "/x" });
  expect(relay.url).toMatch(/\/x$/);
  await using _one = await relay.join({ over: "socket" });
  expect(await relay.get("layout")).toMatchObject({ status: 200 });
  const plain = await fetch(`${relay.url.replace(/\/x$/, "")}/v1/sessions/${relay.session}/remote/layout`, {
    headers: { "X-Service-Token": relay.key },
  });
  expect(plain.status).toBe(200);
});

function raw(relay: TestRelay, request: string): Promise<string> {
  const { port } = new URL(relay.url);
  const socket = connect(Number(port), "127.0.0.1", () => socket.write(request));
  return text(socket);
}

test("a call of this process passes the checks of a request, and its address is this machine's", async () => {
  await using relay = await startPaperRelay();
  await using one = await relay.join();
  const { signal } = new AbortController();
  const call = (name: string, more: object = {}) =>
    relay.relay.callLocally(
      { token: relay.key, name, isOperation: false, params: {}, session: relay.session, ...more },
      signal,
    );
  expect(await call("getRole")).toEqual({ result: { role: "admin" }, hit: { client: one.id } });
  expect(await call("whoAmI", { isOperation: true })).toMatchObject({ result: { user: relay.relay.user }, hit: {} });
  await expect(call("getRole", { token: "pb_wrong" })).rejects.toMatchObject({ code: "unauthenticated" });
  await expect(call("getRole", { timeout: "61" })).rejects.toMatchObject({ code: "invalid_params" });
  await expect(call("focusTile", { params: { key: 9 } })).rejects.toMatchObject({ code: "unknown_tile" });
  const stranger = relay.relay.keys.create({ owner: "another", name: "another" }).secret;
  await expect(call("nothing", { token: stranger })).rejects.toMatchObject({ code: "not_owner" });
  const entries = relay.relay.audit.list({ limit: 20 });
  expect(entries.map(({ action, from, outcome }) => [action, from, outcome])).toEqual(
    expect.arrayContaining([
      ["X-Service-Token", "127.0.0.1", "ok"],
      ["authentication", "127.0.0.1", "unauthenticated"],
      ["focusTile", "127.0.0.1", "unknown_tile"],
    ]),
  );
});

test("a call of this process is left to the network where another relay of the fleet may have to answer", async () => {
  await using relay = await startPaperRelay();
  await using _one = await relay.join();
  const foreign = { relayOf: (session: string) => (session === "elsewhere" ? "box" : undefined) };
  relay.relay.fleet = { foreign, [Symbol.asyncDispose]: async () => undefined } as never;
  const { signal } = new AbortController();
  const call = (session: string, token: string) =>
    relay.relay.callLocally({ token, session, name: "getRole", isOperation: false, params: {} }, signal);
  expect(await call("elsewhere", relay.key)).toBeUndefined();
  expect(await call(relay.session, "pb_of_another_relay")).toBeUndefined();
  expect(await call(relay.session, relay.key)).toMatchObject({ result: { role: "admin" } });
  expect(relay.relay.audit.list({ limit: 10, outcome: "unauthenticated" })).toEqual([]);
  relay.relay.fleet = undefined;
});
