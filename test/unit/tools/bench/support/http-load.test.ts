import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { HttpLine, type HttpTarget, loadOn } from "../../../../../tools/bench/support/http-load.ts";

/** A server that answers in two pieces, the second when the first has gone. */
async function serve(status: number): Promise<{ target: HttpTarget; bodies: string[]; most: () => number }> {
  const bodies: string[] = [];
  let [open, most] = [0, 0];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    bodies.push(`${request.method} ${request.url} ${request.headers["x-key"]} ${body}`);
    response.writeHead(status, { "Content-Length": 10 });
    response.write("héll", () => response.end("o, wo"));
  });
  server.on("connection", (socket) => {
    open += 1;
    most = Math.max(most, open);
    socket.on("close", () => {
      open -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const headers = { "X-Key": "secret" };
  return { target: { port, method: "POST", path: "/command", headers, body: '{"é":1}' }, bodies, most: () => most };
}

test("a line sends the same request as often as it is told, and has each answer whole", async () => {
  const { target, bodies, most } = await serve(200);
  const line = await HttpLine.open(target);
  onTestFinished(() => line.close());
  const answers = [await line.send(), await line.send()];
  expect(answers).toEqual([
    { status: 200, body: "héllo, wo" },
    { status: 200, body: "héllo, wo" },
  ]);
  expect(bodies).toEqual(['POST /command secret {"é":1}', 'POST /command secret {"é":1}']);
  expect(most()).toBe(1);
});

test("a load is so many connections, and counts what was answered", async () => {
  const { target, bodies, most } = await serve(200);
  const { perSecond, p50, p99 } = await loadOn(target, 3, 0.2);
  expect(most()).toBe(3);
  expect(perSecond).toBeGreaterThan(0);
  expect(perSecond * 0.2).toBeLessThanOrEqual(bodies.length);
  expect(p50).toBeLessThanOrEqual(p99);
});

test("a refusal is no figure", async () => {
  const { target } = await serve(503);
  await expect(loadOn(target, 1, 0.2)).rejects.toThrow("503 héllo, wo");
});

test("a server that hangs up is no figure", async () => {
  const server = createServer((request) => request.socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  await expect(loadOn({ port, method: "GET", path: "/" }, 1, 0.2)).rejects.toThrow("closed the connection");
});
