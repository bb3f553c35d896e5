import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { bridge } from "../../../../cli/connect/mcp-bridge.ts";
import { until } from "../../../support/until.ts";

interface Asked {
  readonly id: number | undefined;
  readonly method: string;
  /** The connection that the request names. */
  readonly connection: string | undefined;
  answer(status: number, headers?: Record<string, string>): void;
}

/** Stands in for the relay's endpoint: each request waits for its answer. Event streams are refused. */
async function startEndpoint() {
  const asked: Asked[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method } = JSON.parse(await text(request));
    const connection = request.headers["mcp-session-id"]?.toString();
    const answer: Asked["answer"] = (status, headers = {}) => {
      response.writeHead(status, { "Content-Type": "application/json", ...headers });
      response.end(status === 200 ? JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: "1" } }) : "");
    };
    asked.push({ id, method, connection, answer });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/v1/mcp`),
    next: (method: string) =>
      until(method, () => {
        const index = asked.findIndex((one) => one.method === method);
        return index < 0 ? undefined : asked.splice(index, 1)[0];
      }),
    count: (method: string) => asked.filter((one) => one.method === method).length,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("a call that comes while the client is introduced to another relay waits for that, and goes to the new connection", async () => {
  await using endpoint = await startEndpoint();
  const input = new PassThrough();
  const written: { id?: number; error?: object }[] = [];
  const write = (line: string) => void written.push(JSON.parse(line));
  const ended = bridge({ url: endpoint.url, token: "pb_x", remote: undefined, input, write });
  const say = (message: object) => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  say({ id: 1, method: "initialize" });
  (await endpoint.next("initialize")).answer(200, { "Mcp-Session-Id": "one" });

  say({ id: 2, method: "first" });
  say({ id: 3, method: "second" });
  const [first, second] = [await endpoint.next("first"), await endpoint.next("second")];
  first.answer(404);
  const introduction = await endpoint.next("initialize");
  // The old connection is gone, and there is no other one yet.
  second.answer(404);
  say({ id: 4, method: "third" });
  introduction.answer(200, { "Mcp-Session-Id": "two" });
  (await endpoint.next("notifications/initialized")).answer(202);
  for (const method of ["first", "second", "third"]) {
    const again = await endpoint.next(method);
    expect(again.connection).toBe("two");
    again.answer(200);
  }
  await until("all answers", () => written.length === 4);
  input.end();
  await ended;
  expect(written.filter(({ error }) => error !== undefined)).toEqual([]);
  expect(endpoint.count("initialize")).toBe(0);
});

test("a relay without the endpoint is told as such", async () => {
  await using endpoint = await startEndpoint();
  const input = new PassThrough();
  const written: string[] = [];
  const ended = bridge({
    url: endpoint.url,
    token: "pb_x",
    remote: undefined,
    input,
    write: (line) => written.push(line),
  });
  input.end(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize" })}\n`);
  (await endpoint.next("initialize")).answer(404);
  await ended;
  expect(written).toEqual([expect.stringContaining("the relay has no MCP: update Patchbay there")]);
});

test("many calls that wait at once draw no warning of Node on standard error", async () => {
  await using endpoint = await startEndpoint();
  const warnings: string[] = [];
  const warned = ({ name }: Error) => warnings.push(name);
  process.on("warning", warned);
  onTestFinished(() => void process.off("warning", warned));
  const input = new PassThrough();
  const ended = bridge({ url: endpoint.url, token: "pb_x", remote: undefined, input, write: () => undefined });
  for (let id = 1; id <= 20; id++) input.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "call" })}\n`);
  await until("all calls", () => endpoint.count("call") === 20);
  input.end();
  await ended;
  expect(warnings).toEqual([]);
});
