import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { CheckedRequest } from "../../../../../main/relay/fleet/request-check.ts";
import { RequestServer } from "../../../../../main/relay/fleet/serve-requests.ts";
import { decodeFrame, encodeFrame, type Frame, newToken } from "../../../../../main/relay/fleet/wire.ts";
import type { PassedRequest } from "../../../../../main/relay/http/passed-calls.ts";
import type { Answer } from "../../../../../main/relay/net/send.ts";

const KEY = createHash("sha256").update("a key").digest("hex");
const FROM = `U${"A".repeat(55)}`;

/** A relay that serves, whose calls the test answers. */
function serve() {
  const sent: { readonly member: string; readonly token: string; readonly frame: Frame; readonly body: string }[] = [];
  const listeners = new Map<string, (data: Uint8Array) => void>();
  const calls: { readonly request: PassedRequest; readonly gone: AbortSignal; answer(given: Answer | Error): void }[] =
    [];
  const server = new RequestServer({
    transport: {
      send(member, token, data) {
        const decoded = decodeFrame(data, { id: token, direction: "down" });
        if (decoded?.isBy(KEY)) sent.push({ member, token, frame: decoded.frame, body: String(decoded.body) });
      },
      receive(token, listener) {
        listeners.set(token, listener);
        return () => void listeners.delete(token);
      },
    },
    relay: {
      callPassed: (request, gone) =>
        new Promise((resolve, reject) => {
          calls.push({ request, gone, answer: (given) => (given instanceof Error ? reject(given) : resolve(given)) });
        }),
      open: () => {
        throw new Error("no HTTP here");
      },
    },
    nameOf: (member) => (member === FROM ? "laptop" : "unknown"),
  });
  /** Sends a frame of the other relay to the one request that is open. */
  const tell = (id: string, frame: Frame, key = KEY) => {
    for (const listener of listeners.values()) listener(encodeFrame(frame, { id, direction: "up" }, key));
  };
  return { server, sent, calls, tell, listeners };
}

function checked(more: object = {}, digests: CheckedRequest["digests"] = [KEY]): CheckedRequest {
  const head = {
    ...{ id: newToken(), from: FROM, deadline: 1, method: "POST" as const, path: "/v1/sessions/s/remote/command" },
    ...{ headers: { "content-type": "application/json", cookie: "c", host: "evil" }, credentials: ["api" as const] },
    ...{ bodyBytes: 2, bodyDigest: "x".repeat(43), isCut: false, upgrade: false },
    ...more,
  };
  return { head, body: Buffer.from("{}"), digests };
}
const answer = (body = "done"): Answer => ({ status: 200, headers: { "X-A": 1, Date: "x" }, body: Buffer.from(body) });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const settle = () => vi.advanceTimersByTimeAsync(0);

describe("a request of another relay", () => {
  test("that cannot be begun is given up, and ends nothing else", () => {
    const { server, sent, listeners } = serve();
    expect(server.serve(checked({ upgrade: true }))).toBe(true);
    expect(server.serve(checked({ upgrade: true, headers: { accept: "a\nb" } }))).toBe(true);
    expect(sent.map(({ frame }) => frame.kind)).toEqual(["reset", "reset"]);
    expect([server.open, listeners.size]).toEqual([0, 0]);
  });

  test("is executed with the headers that are passed on, and the digest in place of the key", async () => {
    const { server, calls, sent } = serve();
    const request = checked();
    expect(server.serve(request)).toBe(true);
    expect([server.open, calls[0]?.request]).toEqual([
      1,
      {
        ...{ peer: { name: "laptop" }, method: "POST", path: request.head.path, body: Buffer.from("{}") },
        headers: { host: "127.0.0.1", "content-type": "application/json", "x-service-token": KEY },
      },
    ]);
    calls[0]?.answer(answer());
    await settle();
    expect(sent).toEqual([
      {
        ...{ member: FROM, token: request.head.id, body: "done" },
        frame: { kind: "answer", n: 0, status: 200, headers: { "x-a": "1" } },
      },
    ]);
    expect(server.open).toBe(0);
  });

  test("has its credentials in their places, and for one that was not proved none that any key has", () => {
    const { server, calls } = serve();
    server.serve(checked({ credentials: ["bearer", "api"] }, [KEY, undefined]));
    expect(calls[0]?.request.headers).toMatchObject({ authorization: `Bearer ${KEY}`, "x-service-token": "unproved" });
  });

  test("whose body was left out is executed with one that is too large", () => {
    const { server, calls } = serve();
    server.serve(checked({ isCut: true }));
    expect(calls[0]?.request.body.length).toBe(1024 * 1024 + 1);
  });

  test("is said to be worked on after a quarter of a second, and every five seconds from then on", async () => {
    const { server, calls, sent, tell } = serve();
    const request = checked();
    server.serve(request);
    const kinds = () => sent.map(({ frame }) => frame.kind);
    await vi.advanceTimersByTimeAsync(249);
    expect(kinds()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent[0]?.frame).toEqual({ kind: "alive", n: 0, up: expect.any(String) });
    tell(request.head.id, { kind: "alive", n: 0 });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(kinds()).toEqual(["alive", "alive", "alive"]);
    calls[0]?.answer(answer());
    await settle();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(kinds()).toEqual(["alive", "alive", "alive", "answer"]);
  });

  test("is given up when the other relay says nothing for fifteen seconds", async () => {
    const { server, calls, sent } = serve();
    server.serve(checked());
    await vi.advanceTimersByTimeAsync(15_249);
    expect(calls[0]?.gone.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([calls[0]?.gone.aborted, sent.at(-1)?.frame.kind, server.open]).toEqual([true, "reset", 0]);
  });

  test("is given up when the other relay gives it up, by a frame that is proved", async () => {
    const { server, calls, tell } = serve();
    const request = checked();
    server.serve(request);
    tell(request.head.id, { kind: "reset", n: 0 }, createHash("sha256").update("x").digest("hex"));
    expect(calls[0]?.gone.aborted).toBe(false);
    tell(request.head.id, { kind: "reset", n: 0 });
    expect([calls[0]?.gone.aborted, server.open]).toEqual([true, 0]);
    // What is answered later is sent to nobody.
    calls[0]?.answer(answer());
    await settle();
  });

  test("is given up when a frame is missing, and not when one comes twice", () => {
    const { server, calls, tell } = serve();
    const request = checked();
    server.serve(request);
    for (let times = 0; times < 2; times++) tell(request.head.id, { kind: "alive", n: 0 });
    expect(calls[0]?.gone.aborted).toBe(false);
    tell(request.head.id, { kind: "alive", n: 2 });
    expect(calls[0]?.gone.aborted).toBe(true);
  });

  test("that fails is given up, and the other relay is told", async () => {
    const { server, calls, sent } = serve();
    server.serve(checked());
    calls[0]?.answer(new Error("it failed"));
    await settle();
    expect([sent.map(({ frame }) => frame.kind), server.open]).toEqual([["reset"], 0]);
  });
});

describe("the answer of a request that is sent again", () => {
  test("is sent again, to the relay that made the request alone, for half a minute", async () => {
    const { server, calls, sent } = serve();
    const request = checked();
    server.serve(request);
    server.repeat(request.head);
    expect(sent).toEqual([]);
    calls[0]?.answer(answer("ä"));
    await settle();
    server.repeat({ ...request.head, from: `U${"B".repeat(55)}` });
    expect(sent).toHaveLength(1);
    server.repeat(request.head);
    expect(sent[1]).toEqual(sent[0]);
    await vi.advanceTimersByTimeAsync(30_000);
    // Another answer makes room.
    server.serve(checked());
    calls[1]?.answer(answer());
    await settle();
    server.repeat(request.head);
    expect(sent).toHaveLength(3);
  });

  test("is sent again after one with the same id that no key proves was answered", async () => {
    const { server, calls, sent } = serve();
    const request = checked();
    server.serve(request);
    calls[0]?.answer(answer("proved"));
    await settle();
    server.serve({ ...request, digests: [undefined] });
    calls[1]?.answer(answer("feigned"));
    await settle();
    server.repeat(request.head);
    expect(sent.map(({ body }) => body)).toEqual(["proved", "proved"]);
  });
});

test("the end of the relay ends what is open, and nothing is executed after it", () => {
  const { server, calls, sent, listeners } = serve();
  server.serve(checked());
  server.serve(checked());
  server.close();
  expect(calls.map(({ gone }) => gone.aborted)).toEqual([true, true]);
  expect([sent.map(({ frame }) => frame.kind), server.open, listeners.size]).toEqual([["reset", "reset"], 0, 0]);
  expect(server.serve(checked())).toBe(false);
});

test("more requests than a relay serves at once are refused", () => {
  const { server } = serve();
  for (let count = 0; count < 2048; count++) expect(server.serve(checked())).toBe(true);
  expect(server.serve(checked())).toBe(false);
  server.close();
});
