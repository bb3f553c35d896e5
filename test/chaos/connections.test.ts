import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { percentile, startCaller } from "../support/caller.ts";
import { startTestRelay, type TestRelay } from "../support/test-relay.ts";

const CONNECTIONS = 10_000;
const AT_ONCE = 250;

test("10,000 connections that say nothing cost bounded memory, and callers with a key stay quick", async () => {
  await using relay = await startTestRelay();
  await using one = await relay.join({ kind: "desktop" });
  const sockets: Socket[] = [];
  using _close = { [Symbol.dispose]: () => sockets.forEach((socket) => void socket.destroy()) };
  using caller = startCaller(relay, one.id);
  const before = process.memoryUsage().rss;
  for (let opened = 0; opened < CONNECTIONS; opened += AT_ONCE) {
    const dialled = Array.from({ length: AT_ONCE }, () => dial(relay));
    sockets.push(...dialled);
    await Promise.all(dialled.map((socket) => once(socket, "connect").catch(() => undefined)));
  }
  expect((await relay.get("tiles")).status).toBe(200);
  expect(one.client.connected).toBe(true);
  // Both ends are in this process: what stays open is bounded, not what was opened.
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  expect(percentile(await caller.stop(), 0.99)).toBeLessThan(250);
  expect(relay.errors).toEqual([]);
}, 120_000);

function dial(relay: TestRelay): Socket {
  const { hostname, port } = new URL(relay.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => undefined);
  return socket;
}
