import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { methodNames, specs } from "../../../../../core/commands/specs.ts";
import { jsonDepth } from "../../../../../core/protocol/json-depth.ts";
import type { TestRelay } from "../../../../support/test-relay.ts";
import { until } from "../../../../support/until.ts";
import { startPaperRelay } from "../paper-relay.ts";

let relay: TestRelay;
let remote: string;
beforeAll(async () => {
  relay = await startPaperRelay();
  remote = `/v1/sessions/${relay.session}/remote`;
  await relay.join();
});
afterAll(() => relay[Symbol.asyncDispose]());

/** Posts bytes as they are. */
async function postBytes(body: Uint8Array, headers: Record<string, string> = {}) {
  const answer = await fetch(`${relay.url}${remote}/command`, {
    method: "POST",
    headers: { "X-Service-Token": relay.key, "Content-Type": "application/json", ...headers },
    body: Buffer.from(body),
  });
  return { status: answer.status, error: answer.headers.get("x-service-error"), text: await answer.text() };
}

const call = Buffer.from(JSON.stringify({ method: "getRole", params: {} }));

describe("a query parameter that is not declared is refused", () => {
  const shortcuts = methodNames.flatMap((method) => specs[method].shortcut ?? []);
  const session = () => `/v1/sessions/${relay.session}`;

  test.each(shortcuts)("GET remote/%s", async (name) => {
    const answer = await relay.get(`${name}?clientt=1`);
    expect(answer).toMatchObject({
      status: 400,
      text: 'query."clientt": no such parameter; expected one of client.\n',
    });
  });

  test.each([
    ["POST", () => `${remote}/command?client=99`, { method: "getRole", params: {} }],
    ["GET", () => `${session()}/events?follow=false&type=toast`, undefined],
    ["GET", () => `${session()}/invites?all=1`, undefined],
    ["POST", () => `${session()}/invites?role=reader`, {}],
    ["GET", () => `${session()}/plugins?x`, undefined],
    ["GET", () => "/v1/sessions?limit=1", undefined],
    ["POST", () => "/v1/sessions?name=x", { name: "x" }],
    ["PATCH", () => `${session()}?name=x`, { name: "x" }],
    ["DELETE", () => `${session()}?forced=true`, undefined],
    ["GET", () => "/v1/audit?user=x", undefined],
    ["GET", () => "/v1/metrics?x=1", undefined],
    ["GET", () => "/v1/whoami?x=1", undefined],
    ["GET", () => "/v1/health?x=1", undefined],
    ["GET", () => "/v1/openapi.json?x=1", undefined],
  ])("%s %s", async (method, path, body) => {
    const answer = await relay.request(method, path(), body === undefined ? {} : { body });
    expect([answer.status, answer.headers.get("x-service-error")]).toEqual([400, "invalid_params"]);
    expect(answer.text).toMatch(/^query\."\w+": no such parameter; /);
  });

  test("and so are values that are not meant", async () => {
    const texts = async (...queries: string[]) =>
      Promise.all(queries.map(async (query) => (await relay.get(`layout?${query}`)).text.trim()));
    const expected = "query.client: expected a whole number of at least 0, got";
    expect(
      await texts("client=0x1", "client=1e0", "client=%201", "client=+1", "client=-1", "client=", "client=1.5"),
    ).toEqual([
      `${expected} "0x1".`,
      `${expected} "1e0".`,
      `${expected} " 1".`,
      `${expected} " 1".`,
      `${expected} "-1".`,
      `${expected} "".`,
      `${expected} "1.5".`,
    ]);
    expect(await texts("client=1&client=2", "__proto__=1")).toEqual([
      "query.client: expected it once.",
      "query: no entry may be called __proto__.",
    ]);
    const follow = await relay.request("GET", `/v1/sessions/${relay.session}/events?follow=maybe`);
    expect(follow).toMatchObject({ status: 400, text: 'query.follow: expected one of true, false, got "maybe".\n' });
  });

  test("a wrong key is told before a wrong query", async () => {
    const headers = { "X-Service-Token": "" };
    expect(await relay.request("GET", `${remote}/tiles?x=1`, { headers })).toMatchObject({ status: 401 });
  });
});

describe("a body that is not what it is said to be", () => {
  const packed = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };

  test.each(Object.entries(packed))("%s is understood, and garbage in its name is 400", async (encoding, pack) => {
    const headers = { "Content-Encoding": encoding };
    expect(await postBytes(pack(call), headers)).toMatchObject({ status: 200 });
    const whole = pack(Buffer.from(JSON.stringify({ method: "sendChat", params: { message: "m".repeat(4000) } })));
    for (const bytes of [call, Buffer.alloc(0), whole.subarray(0, whole.length >> 1), Buffer.from([0, 1, 2, 3, 255])]) {
      expect(await postBytes(bytes, headers)).toMatchObject({ status: 400, error: "malformed_json" });
    }
    expect(relay.errors).toEqual([]);
  });

  test("an encoding that is not known is 415, and a bomb is 413", async () => {
    expect(await postBytes(call, { "Content-Encoding": "compress" })).toMatchObject({ status: 415 });
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, " "));
    expect(await postBytes(bomb, { "Content-Encoding": "gzip" })).toMatchObject({ status: 413 });
  });

  test.each([
    ["JSON", () => `${remote}/command`, "application/json", 2 * 1024 * 1024, "1 MiB"],
    ["a form", () => "/v1/oauth/token", "application/x-www-form-urlencoded", 8193, "8 KiB"],
  ])("%s that is announced as too large is refused before it arrives", async (_, path, type, length, most) => {
    const { hostname, port } = new URL(relay.url);
    const socket = connect({ host: hostname, port: Number(port) });
    try {
      const lines = [
        `POST ${path()} HTTP/1.1`,
        `Host: ${hostname}:${port}`,
        `X-Service-Token: ${relay.key}`,
        `Content-Type: ${type}`,
        `Content-Length: ${length}`,
      ];
      socket.write(`${lines.join("\r\n")}\r\n\r\n{`);
      let said = "";
      socket.on("data", (bytes) => (said += String(bytes)));
      await until("an answer", () => said.includes("send less"));
      expect(said).toMatch(/^HTTP\/1\.1 413 /);
      expect(said).toContain(`The body is over ${most}: send less.`);
    } finally {
      socket.destroy();
    }
  });

  test.each([
    ["a lone continuation byte", [0x80]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["half a character", [0xe4, 0xb8]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["Latin-1", [0xe9]],
  ])("%s in a text is 400, not stored as U+FFFD", async (_, bytes) => {
    const [before = "", after = ""] = JSON.stringify({ method: "sendChat", params: { message: "a|b" } }).split("|");
    const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
    expect(await postBytes(body)).toEqual({
      status: 400,
      error: "malformed_json",
      text: "The body is not valid UTF-8.\n",
    });
  });

  test("another charset is 415", async () => {
    const type = { "Content-Type": "application/json; charset=utf-16" };
    expect(await postBytes(Buffer.from(call.toString(), "utf16le"), type)).toMatchObject({ status: 415 });
  });
});

test("an offer of HTTP/2 is ignored, as Java and `curl --http2` make it with every first request", async () => {
  const offer = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA"];
  const lines = [`Host: ${hostOf(relay)}`, `X-Service-Token: ${relay.key}`, ...offer];
  expect(await answerTo([`GET ${remote}/tiles HTTP/1.1`, ...lines])).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  const length = ["Content-Type: application/json", `Content-Length: ${call.length}`];
  const answer = await answerTo([`POST ${remote}/command HTTP/1.1`, ...lines, ...length], call.toString());
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\n\{"result":\{"role":"admin"\}\}$/);
});

test("a command without any body, as `curl -X POST` without data sends it, is told what to send", async () => {
  const lines = ["Content-Type: application/json", `X-Service-Token: ${relay.key}`];
  const answer = await answerTo([`POST ${remote}/command HTTP/1.1`, `Host: ${hostOf(relay)}`, ...lines]);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toMatch(/\r\nX-Service-Error: malformed_json\r\n/);
  expect(answer).toMatch(/\n\r\nThe body is empty: send one JSON object\.\n$/);
  const none = await answerTo([`POST ${remote}/command HTTP/1.1`, `Host: ${hostOf(relay)}`, ...lines.slice(1)]);
  expect(none).toMatch(/^HTTP\/1\.1 415 /);
});

describe("what HTTP itself would refuse with an empty body", () => {
  test.each(["1.0", "1.1"])("a request without Host, in HTTP/%s", async (version) => {
    const answer = await answerTo([`GET /v1/health HTTP/${version}`]);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nContent-Type: text\/plain; charset=utf-8\r\n/);
    expect(answer).toMatch(/\r\nX-Service-Error: invalid_request\r\n/);
    expect(answer).toMatch(/\r\n\r\nThe request has no Host header: send the relay's address in it\.\n$/);
  });

  test.each([
    ["two Host headers", "/v1/health", ["Host: evil.example"], "The request has several Host headers: send one."],
    [
      "a target at another server",
      "http://evil.example/v1/health",
      [],
      "The request's target is an address of another server: send the path alone.",
    ],
  ])("a request with %s", async (_name, target, headers, sentence) => {
    const answer = await answerTo([`GET ${target} HTTP/1.1`, `Host: ${hostOf(relay)}`, ...headers]);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer.endsWith(`\r\n\r\n${sentence}\n`)).toBe(true);
  });

  test("a WebSocket without a key", async () => {
    const opening = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"];
    const path = `/v1/sessions/${relay.session}/socket`;
    const lines = [`GET ${path} HTTP/1.1`, `Host: ${hostOf(relay)}`, `X-Service-Token: ${relay.key}`];
    const answer = await answerTo([...lines, ...opening]);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/\r\nContent-Type: text\/plain; charset=utf-8\r\n/);
    expect(answer).toMatch(/\r\nX-Service-Error: invalid_request\r\n/);
    expect(answer).toMatch(/\r\n\r\nMissing or invalid Sec-WebSocket-Key header\.\n$/);
  });

  test("an expectation that is not known is ignored", async () => {
    const answer = await answerTo(["GET /v1/health HTTP/1.1", `Host: ${hostOf(relay)}`, "Expect: the-best"]);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });
});

test("a body is nested only so deep", async () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  const answer = (levels: number) => postBytes(Buffer.from(`{"method":"getTiles","params":${nested(levels)}}`));
  expect((await answer(jsonDepth.body)).text).toMatch(/^body: expected at most 64 levels/);
  expect((await answer(jsonDepth.body - 1)).text).toMatch(/^body\.params: /);
});

test("a choice among clients is asked for in the words of the request", async () => {
  await using session = await startPaperRelay();
  await session.join();
  await session.join({ kind: "browser" });
  const get = await session.get("layout");
  expect([get.status, get.text.split("\n", 1)[0]]).toEqual([
    409,
    "Several clients are connected: choose one with ?client=.",
  ]);
  const post = await session.post({ method: "getLayout", params: {} });
  expect(post.text.split("\n", 1)[0]).toBe("Several clients are connected: choose one with target_client_id.");
});

test("a session with running shells is closed only by force", async () => {
  await using other = await startPaperRelay();
  await using _client = await other.join();
  await other.command("createShell");
  const path = `/v1/sessions/${other.session}`;
  const refused = await other.request("DELETE", `${path}?force=false`);
  expect([refused.status, refused.text]).toEqual([
    409,
    "In the session default a shell runs: close what runs first, or close the session with `force` (--force).\n",
  ]);
  expect(await other.request("DELETE", path)).toMatchObject({ status: 200 });
});

test("what a method does not know is answered with what it may be", async () => {
  const hint = async (method: string) => (await relay.post({ method, params: {} })).text.trim();
  expect(await hint("list-tiles")).toBe('No method "list-tiles". Did you mean getTiles?');
  expect(await hint("splitH")).toBe('No method "splitH". Did you mean splitShell?');
  expect(await hint("run")).toBe('No method "run". Did you mean runCommand?');
  expect(await hint("rename")).toBe('No method "rename". Did you mean renameTile or renameWorkspace or renameSession?');
  expect(await hint("listUsers")).toBe('No method "listUsers". Did you mean getClients?');
});

test("a wrong value in a list is named, and a number that JSON reads as infinite", async () => {
  const wrong = async (method: string, params: string) =>
    (await postBytes(Buffer.from(`{"method":"${method}","params":${params}}`))).text;
  expect(await wrong("getAgentEvents", '{"sessionId":"x","types":"bogus"}')).toMatch(
    /^params\.types\.0: expected one of user_message, .*, got "bogus"\.$/m,
  );
  expect(await wrong("focusTile", '{"key":1e309}')).toMatch(/^params\.key: .*, got a number beyond all bounds\.$/m);
});

function hostOf({ url }: TestRelay): string {
  return new URL(url).host;
}

/** Sends the lines of a request and its body as they are. */
async function answerTo(lines: readonly string[], body = ""): Promise<string> {
  const { hostname, port } = new URL(relay.url);
  const socket = connect(Number(port), hostname);
  const close = lines.some((line) => line.startsWith("Connection: ")) ? [] : ["Connection: close"];
  socket.end(`${[...lines, ...close].join("\r\n")}\r\n\r\n${body}`);
  return text(socket);
}
