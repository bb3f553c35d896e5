import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bridge } from "../../../../cli/connect/mcp-bridge.ts";
import { freePort } from "../../../support/free-port.ts";
import { until } from "../../../support/until.ts";

interface Request {
  readonly method: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: { readonly id?: unknown; readonly method?: string } | undefined;
}
type Handler = (request: Request, response: ServerResponse) => void;

let server: ReturnType<typeof createServer>;
let requests: Request[];
let handle: Handler;
let url: URL;
beforeEach(async () => {
  requests = [];
  handle = answerAll;
  server = createServer(async (request, response) => {
    const { method = "", headers } = request;
    const given = await text(request);
    const one = { method, headers, body: given === "" ? undefined : JSON.parse(given) };
    requests.push(one);
    handle(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/mcp`);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function json(response: ServerResponse, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(200, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(value, undefined, 2));
}

/** Gives each request a result, with the connection "c"; there is no stream. */
const answerAll: Handler = ({ method, body }, response) => {
  if (method !== "POST") return void response.writeHead(405).end();
  if (body?.id === undefined) return void response.writeHead(202).end();
  json(response, { jsonrpc: "2.0", id: body.id, result: { protocolVersion: "2025-06-18" } }, { "Mcp-Session-Id": "c" });
};

/** A client of the bridge. */
function start(at = url) {
  const input = new PassThrough();
  const lines: string[] = [];
  const ended = bridge({ url: at, token: "pb_key", remote: undefined, input, write: (line) => void lines.push(line) });
  const say = (message: object) => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const heard = () => lines.map((line) => JSON.parse(line));
  const introduce = async () => {
    say({ id: 1, method: "initialize" });
    await until("the introduction", () => lines.length > 0);
    lines.length = 0;
    say({ method: "notifications/initialized" });
  };
  const end = () => {
    input.end();
    return ended;
  };
  return { input, lines, heard, say, introduce, ended, end };
}
const sent = (method: string) => requests.filter((one) => one.method === method);

describe("a message of the client", () => {
  test("is sent with the key, after the introduction with its connection and version, and answered on one line", async () => {
    const client = start();
    await client.introduce();
    client.say({ id: 2, method: "tools/list" });
    await until("the answer", () => client.lines.length > 0);
    await client.end();
    const answer = { jsonrpc: "2.0", id: 2, result: { protocolVersion: "2025-06-18" } };
    expect(client.heard()).toEqual([answer]);
    expect(client.lines[0]).not.toContain("\n");
    const [first, , third] = sent("POST");
    const accept = "application/json, text/event-stream";
    expect(first?.headers).toMatchObject({ accept, "x-service-token": "pb_key" });
    expect(first?.headers).not.toHaveProperty("mcp-session-id");
    expect(third?.headers).toMatchObject({ "mcp-session-id": "c", "mcp-protocol-version": "2025-06-18" });
    await until("the end of the connection", () => sent("DELETE").length > 0);
    expect(sent("DELETE").map(({ headers }) => headers["mcp-session-id"])).toEqual(["c"]);
  });

  test("comes in pieces, with empty lines between", async () => {
    const client = start();
    const [one, two] = [1, 2].map((id) => JSON.stringify({ jsonrpc: "2.0", id, method: "ä" }));
    const bytes = Buffer.from(`${one}\r\n\n  \n${two}\n`);
    for (const byte of bytes) client.input.write(Buffer.from([byte]));
    await until("both", () => client.lines.length === 2);
    await client.end();
    expect(sent("POST").map(({ body }) => body)).toEqual([JSON.parse(one ?? ""), JSON.parse(two ?? "")]);
  });

  test("that is no JSON is refused, and the next one is passed on", async () => {
    const client = start();
    client.input.write("{nonsense\n");
    client.say({ id: 2, method: "ping" });
    await until("both answers", () => client.lines.length === 2);
    await client.end();
    expect(client.heard()[0]).toEqual({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "No valid JSON." } });
  });

  test("of over 1 MiB ends the bridge", async () => {
    const client = start();
    client.input.write("x".repeat(1024 * 1024 + 1));
    await expect(client.ended).rejects.toThrow("A message was longer than 1 MiB.");
  });

  test.each<[string, Handler, string]>([
    ["with a sentence", (_, response) => void response.writeHead(403).end('{"error":"Not yours."}'), "Not yours."],
    [
      "with an error of its own",
      (_, response) => void response.writeHead(400).end('{"error":{"message":"Wrong."}}'),
      "Wrong.",
    ],
    ["without one", (_, response) => void response.writeHead(500).end("oops"), "the relay answered 500"],
    [
      "as a relay without MCP",
      (_, response) => void response.writeHead(404).end(),
      "the relay has no MCP: update Patchbay there",
    ],
    [
      "by an end during the call",
      (_, response) =>
        void response.writeHead(200, { "Content-Type": "text/event-stream" }).end('data: {"method":"x"}\n\n'),
      "the relay ended during the call, which may have been executed",
    ],
  ])("that is refused %s gets an error, unless it asks nothing", async (_how, refusal, message) => {
    handle = refusal;
    const client = start();
    client.say({ method: "notifications/x" });
    client.say({ id: "a", method: "ping" });
    const errors = () => client.heard().filter(({ error }) => error !== undefined);
    await until("the error", () => errors().length > 0);
    await client.end();
    expect(errors()).toEqual([{ jsonrpc: "2.0", id: "a", error: { code: -32000, message } }]);
  });

  test("that no relay takes gets an error that says so", async () => {
    const client = start(new URL(`http://127.0.0.1:${await freePort()}/v1/mcp`));
    client.say({ id: 1, method: "ping" });
    await until("the error", () => client.lines.length > 0);
    await client.end();
    expect(client.heard()[0].error.message).toMatch(/^No relay answers at http/);
  });

  test("that is answered in a stream gets each message of it, on a line of its own", async () => {
    handle = ({ body }, response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8" });
      response.write(': hello\n\ndata: {"method":"progress",\ndata: "params":{}}\n\ndata:\n\n');
      response.end(`data: {"id":${Number(body?.id)},"result":{}}\n\n`);
    };
    const client = start();
    client.say({ id: 7, method: "tools/call" });
    await until("both", () => client.lines.length === 2);
    await client.end();
    expect(client.heard()).toEqual([
      { method: "progress", params: {} },
      { id: 7, result: {} },
    ]);
    expect(client.lines[0]).toBe('{"method":"progress", "params":{}}');
  });
});

describe("what the relay tells unasked", () => {
  const stream =
    (handler: (response: ServerResponse) => void): Handler =>
    (request, response) => {
      if (request.method !== "GET") return answerAll(request, response);
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      handler(response);
    };

  test("is passed on from the introduction on, and the stream ends with the client", async () => {
    let closed = false;
    handle = stream((response) => {
      response.on("close", () => (closed = true));
      response.write('data: {"method":"changed"}\n\ndata:\n\n');
    });
    const client = start();
    await client.introduce();
    await until("the message", () => client.lines.length > 0);
    expect(client.heard()).toEqual([{ method: "changed" }]);
    await client.end();
    await until("the stream to end", () => closed);
    expect(sent("GET")).toHaveLength(1);
  });

  test("is asked for again when the stream has broken", async () => {
    handle = stream((response) => {
      response.write(`data: {"n":${sent("GET").length}}\n\n`, () => response.destroy());
    });
    const client = start();
    await client.introduce();
    await until("the second stream", () => client.lines.length === 2);
    await client.end();
    expect(client.heard()).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test("is not asked for again at a relay that offers none", async () => {
    const client = start();
    await client.introduce();
    await until("the question", () => sent("GET").length === 1);
    client.say({ id: 2, method: "ping" });
    await until("the answer", () => client.lines.length > 0);
    await client.end();
    expect(sent("GET")).toHaveLength(1);
  });

  test("makes the client known anew to another relay, with what it has subscribed to", async () => {
    let isForgotten = false;
    handle = (request, response) => {
      if (request.method === "POST" && request.body?.method === "initialize") isForgotten = false;
      if (isForgotten) return void response.writeHead(404).end();
      answerAll(request, response);
    };
    const client = start();
    await client.introduce();
    for (const uri of ["a", "b"]) client.say({ id: uri, method: "resources/subscribe", params: { uri } });
    client.say({ id: 3, method: "resources/unsubscribe", params: { uri: "a" } });
    await until("the answers", () => client.lines.length === 3);
    requests.length = 0;
    isForgotten = true;
    client.say({ id: 4, method: "ping" });
    await until("the answer", () => client.lines.length === 4);
    await client.end();
    expect(sent("POST").map(({ body }) => body?.method)).toEqual([
      ...["ping", "initialize", "notifications/initialized", "resources/subscribe", "ping"],
    ]);
    expect(sent("POST")[3]?.body).toMatchObject({ id: "b" });
    expect(client.heard().map(({ id }) => id)).toEqual(["a", "b", 3, 4]);
  });
});
