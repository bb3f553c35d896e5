import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "vitest";
import { sendJson } from "../../../../../main/relay/net/send.ts";
import { until } from "../../../../support/until.ts";

const MIB = 1024 * 1024;

test.each([
  ["letters", "a".repeat(300_000)],
  ["characters of two units, with one before them", `x${"😀".repeat(150_000)}`],
  ["escapes and quotes", '"\u001b[0m\\\n'.repeat(60_000)],
  ["halves of characters", "\ud83d".repeat(70_000)],
])("a long output of %s is the same JSON as at once", async (_what, output) => {
  const value = { result: { output, offset: 5, end: 7 } };
  await using server = await serve(value);
  const answer = await fetch(server.url);
  const body = await answer.text();
  expect(body === JSON.stringify(value)).toBe(true);
});

test("no turn gives the system more than a piece of a long output", async () => {
  await using server = await serve({ result: { output: "a".repeat(4_000_000) } });
  const answered = fetch(server.url).then((answer) => answer.arrayBuffer());
  const response = await server.asked;
  const { socket } = response;
  let isOver = false;
  void answered.then(() => {
    isOver = true;
  });
  let before = 0;
  let most = 0;
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    const given = (socket?.bytesWritten ?? before) - before;
    most = Math.max(most, given);
    before += given;
  }
  expect(before).toBeGreaterThan(4_000_000);
  // Two turns of the event loop may pass between two looks.
  expect(most).toBeLessThan(4 * 64 * 1024);
});

test("others are served between the pieces of a long output", async () => {
  await using server = await serve({ result: { output: "a".repeat(20_000_000) } });
  const answered = fetch(server.url).then((answer) => answer.arrayBuffer());
  await server.asked;
  let turns = 0;
  let isOver = false;
  void answered.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    turns += 1;
  }
  expect(turns).toBeGreaterThan(20_000_000 / (64 * 1024));
});

test("of a long output that nobody reads, the relay encodes no more than the system takes", async () => {
  await using server = await serve({ result: { output: "a".repeat(64 * MIB) } });
  const before = process.memoryUsage().arrayBuffers;
  const client = connect(Number(new URL(server.url).port), "127.0.0.1").pause();
  client.write("GET / HTTP/1.1\r\nHost: here\r\n\r\n");
  const { socket } = await server.asked;
  let written = -1;
  await until("the system to take no more", async () => {
    const last = written;
    written = socket?.bytesWritten ?? 0;
    await turns(200);
    return written > 0 && written === last && socket?.writableNeedDrain;
  });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * MIB);
  client.destroy();
});

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function serve(value: unknown) {
  let isAsked: (response: ServerResponse) => void = () => {};
  const asked = new Promise<ServerResponse>((resolve) => {
    isAsked = resolve;
  });
  const server = createServer((_request, response) => {
    sendJson(response, value);
    isAsked(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
