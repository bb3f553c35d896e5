import { once } from "node:events";
import { Agent, request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { PROTOCOL_VERSION } from "../../../../core/protocol/frames.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

const FLOOD = 10_000;
/** How many a flooder opens at a time; all stay open. */
const AT_ONCE = 250;

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

/** Milliseconds of one command over a connection that is kept. */
function commands(relay: TestRelay, client: number): { once(): Promise<number> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  open.push(agent);
  const url = `${relay.url}/v1/sessions/${relay.session}/remote/tiles?client=${client}`;
  return {
    once: () =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now();
        const asked = httpRequest(url, { agent, headers: { "X-Service-Token": relay.key } }, (answer) => {
          answer.resume();
          answer.on("end", () => {
            if (answer.statusCode === 200) resolve(performance.now() - startedAt);
            else reject(new Error(`status ${answer.statusCode}`));
          });
        });
        asked.on("error", reject);
        asked.end();
      }),
  };
}

const percentile = (times: readonly number[], share: number) =>
  [...times].sort((one, other) => one - other)[Math.floor(times.length * share)] ?? Number.NaN;

test("10,000 connections that say nothing: the oldest go, with a reason, and whoever has a key notices nothing", async () => {
  await using relay = await startTestRelay();
  await using one = await relay.join({ kind: "desktop" });
  const own = commands(relay, one.id);
  await own.once();
  const memory = process.memoryUsage().rss;
  const times: number[] = [];
  const first = dial(relay);
  const farewell = saidBy(first);
  for (let opened = 0; opened < FLOOD; opened += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => once(dial(relay), "connect").catch(() => undefined)));
    times.push(await own.once());
    // Newcomers with a key are heard too, and so is the client over its WebSocket.
    if (opened % 2000 === 0) expect((await relay.get("tiles")).status).toBe(200);
  }
  expect(await farewell).toMatch(/^HTTP\/1\.1 503 .*X-Service-Error: too_many_connections/s);
  expect(await figure(relay, 'patchbay_connections_cut_total{reason="too many connections"}')).toBeGreaterThan(8_000);
  expect(one.client.connected).toBe(true);
  expect(percentile(times, 0.99)).toBeLessThan(250);
  // Both ends are in this process: what stays open is bounded, not what was opened.
  expect(process.memoryUsage().rss - memory).toBeLessThan(300 * 1024 * 1024);
  expect(relay.errors).toEqual([]);
}, 120_000);

test("headers and bodies that drip are told so, and cut", async () => {
  await using relay = await startTestRelay();
  await using _one = await relay.join({ kind: "desktop" });
  const headers = dial(relay);
  const body = dial(relay);
  const drip = setInterval(() => {
    headers.write("X-Drop: 1\r\n");
  }, 200);
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
  ["garbage", "\u0000\u0001\u0002 nonsense\r\n\r\n", 400, "malformed_json"],
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
  await using relay = await startTestRelay();
  const socket = await webSocket(relay);
  const [code, reason] = (await once(socket, "close")) as [number, Buffer];
  expect([code, String(reason)]).toEqual([4408, "no hello in time"]);
  expect(await figure(relay, 'patchbay_connections_cut_total{reason="late hello"}')).toBe(1);
}, 30_000);

const hello = { type: "hello", protocol: PROTOCOL_VERSION, device: "evil", clientKind: "browser" };

test("who sends without end waits, and others do not", async () => {
  await using relay = await startTestRelay();
  await using one = await relay.join({ kind: "desktop" });
  const own = commands(relay, one.id);
  const socket = await webSocket(relay);
  socket.send(JSON.stringify(hello));
  const frame = JSON.stringify({ type: "unlisten", shell: 1 });
  let sent = 0;
  const flood = setInterval(() => {
    for (let index = 0; index < 2_000 && socket.bufferedAmount < 1e6; index += 1) {
      socket.send(frame);
      sent += 1;
    }
  }, 5);
  open.push({ destroy: () => clearInterval(flood) });
  const startedAt = performance.now();
  const times: number[] = [];
  while (performance.now() - startedAt < 2_000) times.push(await own.once());
  clearInterval(flood);
  const seconds = (performance.now() - startedAt) / 1000;
  const read = (await figure(relay, 'patchbay_client_bytes_total{direction="in"}')) / frame.length;
  expect(sent).toBeGreaterThan(read);
  // 20,000 frames a second are read, and what one piece of the socket holds at most besides.
  expect(read / seconds).toBeLessThan(25_000);
  expect(socket.readyState).toBe(WebSocket.OPEN);
  // It is written, read and measured in this one process; a reader that starved others would answer none of them.
  expect(percentile(times, 0.5)).toBeLessThan(100);
}, 30_000);

test("who never reads is cut when too much waits for him, and costs no more than that", async () => {
  await using relay = await startTestRelay();
  await using one = await relay.join({ kind: "desktop" });
  const socket = await webSocket(relay);
  socket.send(JSON.stringify(hello));
  await until(
    "the client to be there",
    async () => (await relay.command<unknown[]>("getClients", {}, one.id)).length === 2,
  );
  socket.pause();
  const own = commands(relay, one.id);
  const times: number[] = [];
  const data = "x".repeat(500_000);
  await until("the client to be cut", async () => {
    const { status } = await relay.post({ method: "broadcastEvent", params: { type: "big", data } });
    expect(status).toBe(200);
    times.push(await own.once().catch(() => 0));
    return (await figure(relay, 'patchbay_connections_cut_total{reason="unread"}')) === 1;
  });
  await until("it to be gone", async () => (await relay.command<unknown[]>("getClients", {}, one.id)).length === 1);
  expect(percentile(times, 0.99)).toBeLessThan(250);
}, 60_000);
