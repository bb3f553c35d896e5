import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { sendJson } from "../../../../../main/relay/net/send.ts";

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
  expect(Number(answer.headers.get("content-length"))).toBe(Buffer.byteLength(body));
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
