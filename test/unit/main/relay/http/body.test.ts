import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import express, { type Request, type Response } from "express";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formBody, jsonBody } from "../../../../../main/relay/http/body.ts";
import { toRemoteError } from "../../../../../main/relay/net/send.ts";

let server: Server;
let port: number;
beforeAll(async () => {
  const app = express();
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const answer = (read: (request: Request, response: Response) => Promise<unknown>) => {
    return (request: Request, response: Response) => {
      read(request, response).then(
        (got) => response.json({ got }),
        (error: unknown) => {
          const { code, message } = toRemoteError(error, log);
          response.json({ code, message });
        },
      );
    };
  };
  app.post(
    "/json",
    answer((...asked) => jsonBody(...asked)),
  );
  app.post(
    "/some",
    answer((...asked) => jsonBody(...asked, { mayBeEmpty: false })),
  );
  app.post(
    "/form",
    answer((...asked) => formBody(...asked)),
  );
  server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Posts a body as it is; without a length where it is sent in chunks. */
async function post(path: string, body: string | Buffer, headers: Record<string, string> = {}, isChunked = false) {
  const length = isChunked ? { "Transfer-Encoding": "chunked" } : { "Content-Length": String(Buffer.byteLength(body)) };
  const sent = httpRequest({ port, host: "127.0.0.1", method: "POST", path, headers: { ...length, ...headers } });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return JSON.parse(await text(response));
}
const json = { "Content-Type": "application/json" };
const form = { "Content-Type": "application/x-www-form-urlencoded" };
const empty = { code: "malformed_json", message: "The body is empty: send one JSON object." };
const noJson = (got: string) => ({
  code: "unsupported_media_type",
  message: `Send a body with the content type application/json, got ${got}.`,
});

describe("a body of JSON", () => {
  test.each([
    "application/json",
    "APPLICATION/JSON",
    "application/json; charset=utf-8",
    "application/json ;x=y",
    "application/json\t;x",
  ])("is read with the type %j, and is an empty object where it is empty", async (type) => {
    const headers = { "Content-Type": type };
    expect(await post("/json", '{"a":["ä"]}', headers)).toEqual({ got: { a: ["ä"] } });
    expect(await post("/json", "", headers)).toEqual({ got: {} });
    expect(await post("/some", "", headers)).toEqual(empty);
    expect(await post("/some", '{"a":1}', headers)).toEqual({ got: { a: 1 } });
  });

  test("may come in chunks, also an empty one, which has no length", async () => {
    expect(await post("/json", '{"a":1}', json, true)).toEqual({ got: { a: 1 } });
    expect(await post("/some", '{"a":1}', json, true)).toEqual({ got: { a: 1 } });
    expect(await post("/some", "", json, true)).toEqual(empty);
  });

  test.each<[Record<string, string>, string, string]>([
    [{}, "{}", "none"],
    [{}, "", "none"],
    [{ "Content-Type": "text/plain" }, "{}", '"text/plain"'],
    [{ "Content-Type": "application/jsonx" }, "", '"application/jsonx"'],
    [{ "Content-Type": "xapplication/json" }, "", '"xapplication/json"'],
    [{ "Content-Type": `text/${"x".repeat(100)}` }, "{}", `"text/${"x".repeat(55)}"`],
  ])("is refused with %j and the body %j", async (headers, body, got) => {
    expect(await post("/json", body, headers)).toEqual(noJson(got));
    expect(await post("/some", body, headers)).toEqual(noJson(got));
  });

  test("is refused in another charset, and where its bytes are not UTF-8", async () => {
    const charset = { "Content-Type": "application/json; charset=utf-16le" };
    const sentence = { code: "unsupported_media_type", message: "The body's charset is not supported: send UTF-8." };
    const noText = { code: "malformed_json", message: "The body is not valid UTF-8." };
    for (const path of ["/json", "/some"]) {
      expect(await post(path, Buffer.from("{}", "utf16le"), charset)).toEqual(sentence);
      expect(await post(path, Buffer.from([0x22, 0xe9, 0x22]), json)).toEqual(noText);
      expect(await post(path, "{}", { "Content-Type": "application/json; charset=UTF-8" })).toEqual({ got: {} });
    }
  });
});

describe("a form", () => {
  test("has its fields as texts; an empty one counts as absent", async () => {
    expect(await post("/form", "a=b+c&d=&e=%C3%A4&f[g]=h", form)).toEqual({
      got: { a: "b c", e: "ä", "f[g]": "h" },
    });
  });

  test("is refused with a field twice, which is named, with another type, and with too many fields", async () => {
    const name = "x".repeat(100);
    expect(await post("/form", `${name}=1&${name}=2`, form)).toEqual({
      ...{ code: "invalid_params", message: `${"x".repeat(60)}: expected it once.` },
    });
    expect(await post("/form", "{}", json)).toEqual({
      ...{ code: "unsupported_media_type" },
      message: "Send a body with the content type application/x-www-form-urlencoded.",
    });
    const fields = (count: number) => Array.from({ length: count }, (_, index) => `f${index}=1`).join("&");
    expect(Object.keys((await post("/form", fields(50), form)).got)).toHaveLength(50);
    expect(await post("/form", fields(51), form)).toHaveProperty("code");
  });
});
