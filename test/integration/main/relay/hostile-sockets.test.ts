import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { PROTOCOL_VERSION } from "../../../../core/protocol/frames.ts";
import { percentile, startCaller } from "../../../support/caller.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

/** More than the connections without a key that the relay keeps; `test:chaos` opens 10,000. */
const FLOOD = 2_000;
/** How many a flooder opens at a time; all stay open. */
const AT_ONCE = 250;
/** Short timeouts: what is under test is that they are kept. */
const timeouts = { headers: 500, request: 1_000, hello: 500, checkEvery: 100 };

const open: { destroy(): void }[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

function dial(relay: TestRelay): Socket {
  const { hostname, port } = new URL(relay.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => undefined);
  open.push(socket);
  return socket;
}

/** What comes back until the relay hangs up. */
async function saidBy(socket: Socket): Promise<string> {
  let said = "";
  socket.on("data", (bytes) => (said += String(bytes)));
  await once(socket, "close");
  return said;
}

async function figure(relay: TestRelay, name: string): Promise<number> {
  const { text } = await relay.request("GET", "/v1/metrics");
  return Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${name} `))
      ?.split(" ")
      .at(-1) ?? 0,
  );
}

test("2,000 connections that say nothing: the oldest are closed with a reason, and callers with a key are served", {
  timeout: 60_000,
  tags: "slow",
}, async () => {
  await using relay = await startTestRelay();
  await using one = await relay.join({ kind: "desktop" });
  using caller = startCaller(relay, one.id);
  const first = dial(relay);
  const farewell = saidBy(first);
  for (let opened = 0; opened < FLOOD; opened += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => once(dial(relay), "connect").catch(() => undefined)));
    // A new connection with a key is served too.
    expect((await relay.get("tiles")).status).toBe(200);
  }
  expect(await farewell).toMatch(/^HTTP\/1\.1 503 .*X-Service-Error: too_many_connections/s);
  await until(
    "the relay to have closed what is too many",
    async () => (await figure(relay, 'patchbay_connections_cut_total{reason="too many connections"}')) > FLOOD - 1_100,
  );
  expect(one.client.connected).toBe(true);
  expect((await caller.stop()).length).toBeGreaterThan(0);
  expect(relay.errors).toEqual([]);
});

test("headers and bodies that drip are told so, and cut", async () => {
  await using relay = await startTestRelay({ timeouts });
  await using _one = await relay.join({ kind: "desktop" });
  const headers = dial(relay);
  const body = dial(relay);
  const drip = setInterval(() => {
    headers.write("X-Drop: 1\r\n");
  }, 20);
  headers.on("close", () => clearInterval(drip));
  headers.write("GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n");
  body.write(
    `POST /v1/sessions/${relay.session}/remote/command HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Service-Token: ${relay.key}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
  );
  const [saidToHeaders, saidToBody] = await Promise.all([saidBy(headers), saidBy(body)]);
  expect(saidToHeaders).toMatch(/^HTTP\/1\.1 408 .*X-Service-Error: slow_request/s);
  expect(saidToBody).toMatch(/^HTTP\/1\.1 408 .*X-Service-Error: slow_request/s);
  expect((await relay.get("tiles")).status).toBe(200);
}, 60_000);

test.each([
  ["garbage", "\u0000\u0001\u0002 nonsense\r\n\r\n", 400, "invalid_request"],
  ["endless headers", `GET / HTTP/1.1\r\n${"X-A: b\r\n".repeat(10_000)}`, 431, "headers_too_large"],
])("%s is answered and cut", async (_what, bytes, status, code) => {
  await using relay = await startTestRelay();
  const socket = dial(relay);
  socket.write(bytes);
  expect(await saidBy(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*X-Service-Error: ${code}`, "s"));
});

test("a refused WebSocket whose peer does not hang up is hung up on", async () => {
  await using relay = await startTestRelay();
  const { hostname, port } = new URL(relay.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  open.push(socket);
  socket.write(
    `GET /v1/sessions/${relay.session}/socket HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
  );
  socket.resume();
  socket.on("error", () => undefined);
  await once(socket, "end");
  // Without the relay's hanging up, writing would go on for ever.
  await until("the connection to be gone", () => {
    socket.write("x");
    return socket.destroyed;
  });
});

async function webSocket(relay: TestRelay): Promise<WebSocket> {
  const socket = new WebSocket(`${relay.url.replace("http", "ws")}/v1/sessions/${relay.session}/socket`, {
    headers: { "X-Service-Token": relay.key },
  });
  open.push({ destroy: () => socket.terminate() });
  await once(socket, "open");
  return socket;
}

test("who connects and says nothing is sent away", async () => {
  await using relay = await startTestRelay({ timeouts });
  const socket = await webSocket(relay);
  const [code, reason] = (await once(socket, "close")) as [number, Buffer];
  expect([code, String(reason)]).toEqual([4408, "no hello in time"]);
  expect(await figure(relay, 'patchbay_connections_cut_total{reason="late hello"}')).toBe(1);
}, 30_000);

const hello = { type: "hello", protocol: PROTOCOL_VERSION, device: "evil", clientKind: "browser" };

test.each([
  [
    { type: "unlisten", shell: 1 },
    { frames: 50_000, perSecond: 25_000 },
  ],
  [
    { type: "listen", shell: 1, quiet: true, window: 1024 },
    { frames: 2_500, perSecond: 1_500 },
  ],
  [
    { type: "state", focus: null, workspace: 0, saved: {} },
    { frames: 2_500, perSecond: 1_500 },
  ],
  [
    { type: "ask", id: 1, op: "readLayout", params: { client: 1 } },
    { frames: 2_500, perSecond: 1_500 },
  ],
])(
  "a client that sends %j without end is read at a bounded rate, and other callers stay quick",
  {
    timeout: 60_000,
    tags: "slow",
  },
  async (flooding, most) => {
    await using relay = await startTestRelay();
    await using one = await relay.join({ kind: "desktop" });
    // What sends without end is a busy process, too.
    const busy = spawn(process.execPath, ["-e", "for (;;);"]);
    open.push({ destroy: () => void busy.kill("SIGKILL") });
    using before = startCaller(relay, one.id);
    await until("calls without the flood", async () => (await callsAnswered(relay)) > 500);
    const usual = percentile(await before.stop(), 0.99);
    busy.kill("SIGKILL");
    using caller = startCaller(relay, one.id);
    await relay.command("createShell", { command: "yes | head -c 3000000; cat", tile: false });
    const frame = JSON.stringify(flooding);
    const flood = startFlood(relay, frame);
    await until("the flood to have begun", async () => (await framesRead(relay, frame)) > 0);
    const [startedAt, first] = [performance.now(), await framesRead(relay, frame)];
    await until("many frames", async () => (await framesRead(relay, frame)) - first > most.frames);
    const seconds = (performance.now() - startedAt) / 1000;
    const read = (await framesRead(relay, frame)) - first;
    const { sent, open: isOpen } = await flood.stop();
    expect(isOpen).toBe(true);
    expect(sent).toBeGreaterThan(read);
    // 20,000 frames a second are read, or a twentieth of those that have the relay work, and what one piece of the socket holds.
    expect(read / seconds).toBeLessThan(most.perSecond);
    // Without the bound on its rate the flood would keep the relay busy, and each call would wait behind all that was sent.
    // On a machine that is busy already, calls are slow without it.
    expect(percentile(await caller.stop(), 0.99)).toBeLessThan(Math.max(250, 4 * usual));
  },
);

/** Requests of all callers. */
async function callsAnswered(relay: TestRelay): Promise<number> {
  const { text } = await relay.request("GET", "/v1/metrics");
  const counts = text.split("\n").filter((line) => line.startsWith("patchbay_http_requests_total{"));
  return counts.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

function framesRead(relay: TestRelay, frame: string): Promise<number> {
  return figure(relay, 'patchbay_client_bytes_total{direction="in"}').then((bytes) => bytes / frame.length);
}

/** A client in a process of its own that sends `frame` without end. */
function startFlood(relay: TestRelay, frame: string) {
  const url = `${relay.url.replace("http", "ws")}/v1/sessions/${relay.session}/socket`;
  const child = spawn(process.execPath, [
    "test/support/flood-frames.mjs",
    url,
    relay.key,
    JSON.stringify(hello),
    frame,
  ]);
  open.push({ destroy: () => void child.kill("SIGKILL") });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (piece: string) => (out += piece));
  return {
    async stop(): Promise<{ sent: number; open: boolean }> {
      child.stdin.end();
      await once(child, "close");
      return JSON.parse(out) as { sent: number; open: boolean };
    },
  };
}

test("a client that never reads is disconnected when too much waits for it, and others are served meanwhile", {
  timeout: 60_000,
  tags: "slow",
}, async () => {
  await using relay = await startTestRelay();
  await using one = await relay.join({ kind: "desktop" });
  const socket = await webSocket(relay);
  socket.send(JSON.stringify(hello));
  await until(
    "the client to be there",
    async () => (await relay.command<unknown[]>("getClients", {}, one.id)).length === 2,
  );
  socket.pause();
  using caller = startCaller(relay, one.id);
  const data = "x".repeat(500_000);
  await until("the client to be cut", async () => {
    const { status } = await relay.post({ method: "broadcastEvent", params: { type: "big", data } });
    expect(status).toBe(200);
    return (await figure(relay, 'patchbay_connections_cut_total{reason="unread"}')) === 1;
  });
  await until("it to be gone", async () => (await relay.command<unknown[]>("getClients", {}, one.id)).length === 1);
  expect((await caller.stop()).length).toBeGreaterThan(0);
});
