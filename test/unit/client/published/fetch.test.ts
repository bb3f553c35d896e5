import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { RelayUnreachable } from "../../../../client/errors.ts";
import { readText, send, unreachableError } from "../../../../client/published/fetch.ts";
import { freePort } from "../../../support/free-port.ts";

async function serve(handle: RequestListener): Promise<URL> {
  const server = createServer(handle).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a`);
}

/** Tells what it was asked. */
const echo: RequestListener = async (request, response) => {
  let body = "";
  for await (const piece of request) body += String(piece);
  const { method, url, headers } = request;
  response
    .setHeader("X-Told", "yes")
    .end(JSON.stringify({ method, url, type: headers["content-type"], key: headers["x-key"], body }));
};

describe("a request by fetch", () => {
  test("has its method, headers and body as JSON, and its answer's status, headers and text", async () => {
    const url = await serve(echo);
    const answer = await send(url, { method: "PUT", headers: { "X-Key": "k" }, body: { a: "ä" }, silenceMs: 1_000 });
    expect([answer.statusCode, answer.headers["x-told"], answer.errored]).toEqual([200, "yes", null]);
    const told = { method: "PUT", url: "/a", type: "application/json", key: "k", body: '{"a":"ä"}' };
    expect(JSON.parse(await readText(answer, url))).toEqual(told);
    const plain = JSON.parse(await readText(await send(url, { silenceMs: 0 }), url));
    expect(plain).toEqual({ method: "GET", url: "/a", body: "" });
  });

  test("joins characters that come in two pieces", async () => {
    const [first, second] = [Buffer.from("ä").subarray(0, 1), Buffer.from("ä").subarray(1)];
    const url = await serve((_, response) => {
      response.write(first, () => setImmediate(() => response.end(second)));
    });
    expect(await readText(await send(url, { silenceMs: 0 }), url)).toBe("ä");
  });

  test("follows no redirect, which would take the key elsewhere", async () => {
    const url = await serve((_, response) => void response.writeHead(302, { Location: "/b" }).end());
    await expect(send(url, { silenceMs: 0 })).rejects.toThrow(RelayUnreachable);
  });

  test("fails where nothing listens, with the system's reason", async () => {
    const url = new URL(`http://127.0.0.1:${await freePort()}`);
    await expect(send(url, { silenceMs: 0 })).rejects.toThrow(
      `No relay answers at ${url.origin} (connect ECONNREFUSED ${url.host}).`,
    );
  });

  test("fails when nothing comes for a time, before its answer and within it", async () => {
    const silent = await serve(() => undefined);
    await expect(send(silent, { silenceMs: 50 })).rejects.toThrow(
      `No relay answers at ${silent.origin} (no data for 0 s).`,
    );
    const stuck = await serve((_, response) => void response.write("x"));
    const answer = await send(stuck, { silenceMs: 50 });
    await expect(readText(answer, stuck)).rejects.toThrow(`No relay answers at ${stuck.origin} (no data for 0 s).`);
    expect(answer.errored).toMatchObject({ message: "no data for 0 s" });
  });

  test("goes on for longer than that while something comes", async () => {
    const url = await serve(async (_, response) => {
      for (let sent = 0; sent < 6; sent++) {
        response.write("x");
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      response.end();
    });
    expect(await readText(await send(url, { silenceMs: 400 }), url)).toBe("xxxxxx");
  });

  test("ends with its signal, and with its answer's end", async () => {
    const url = await serve((request, response) => {
      if (request.url === "/a") response.write("x");
    });
    const reason = new Error("the caller has gone");
    await expect(send(url, { silenceMs: 0, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const abort = new AbortController();
    const waiting = send(new URL("/b", url), { silenceMs: 0, signal: abort.signal });
    abort.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    const later = new AbortController();
    const answer = await send(url, { silenceMs: 0, signal: later.signal });
    later.abort(reason);
    await expect(readText(answer, url)).rejects.toThrow("the caller has gone");
    const ended = await send(url, { silenceMs: 0 });
    ended.destroy();
    await expect(readText(ended, url)).rejects.toMatchObject({ name: "AbortError" });
  });
});

test("a failed connection is described by its cause, and an abort is told as it is", () => {
  const url = new URL("http://127.0.0.1:1/x");
  const cause = new Error("inner");
  const described = (error: unknown) => unreachableError(url, error).message;
  expect(described(new Error("outer", { cause }))).toBe("No relay answers at http://127.0.0.1:1 (inner).");
  expect(described(new Error("outer", { cause: "x" }))).toBe("No relay answers at http://127.0.0.1:1 (outer).");
  expect(described(new Error(""))).toBe("No relay answers at http://127.0.0.1:1 (the connection was refused).");
  expect(described("x")).toBe("No relay answers at http://127.0.0.1:1 (the connection was refused).");
  const abort = new DOMException("x", "AbortError");
  expect(unreachableError(url, abort)).toBe(abort);
});
