import { createHash } from "node:crypto";
import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { callOwner, credentialsOf, type ForeignRequest } from "../../../../../main/relay/fleet/call-owner.ts";
import { FleetStream } from "../../../../../main/relay/fleet/stream.ts";
import {
  type DecodedFrame,
  decodeFrame,
  decodeRequest,
  encodeFrame,
  type Frame,
  NO_KEY,
  newToken,
  type RequestPiece,
} from "../../../../../main/relay/fleet/wire.ts";

const MEMBER = `U${"A".repeat(55)}`;
const OWNER = `U${"B".repeat(55)}`;
const DIGEST = createHash("sha256").update("a key").digest("hex");
const UP = newToken();
const away = (message: RegExp) =>
  expect.objectContaining({ code: "relay_away", message: expect.stringMatching(message) });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A call, and the relay that it is passed on to in the test's hand. */
function call({ request = {}, broker = true }: { request?: Partial<ForeignRequest>; broker?: boolean } = {}) {
  const sent: RequestPiece[] = [];
  const frames: DecodedFrame[] = [];
  const caller = new EventEmitter();
  const leaving = new Set<() => void>();
  const state = { broker, isListening: true, now: 1_000_000 as number | undefined };
  let token = "";
  let receive = (_: Uint8Array): void => undefined;
  const answer = callOwner(
    {
      ...{ method: "POST", path: "/x", headers: { "content-type": "text/plain", cookie: "secret" }, isCut: false },
      ...{ credentials: [{ scheme: "api", digest: DIGEST }], body: Buffer.from("hello"), upgrade: false },
      ...request,
    },
    {
      ...{ member: MEMBER, owner: OWNER, name: "box", timeoutMs: 10_000, caller, leaving },
      transport: {
        send: (member, to, data) => {
          expect([member, to]).toEqual([OWNER, UP]);
          const frame = decodeFrame(data, { id: token, direction: "up" });
          if (frame !== undefined) frames.push(frame);
        },
        receive: (id, listener) => {
          token = id;
          receive = listener;
          return () => {
            state.isListening = false;
          };
        },
      },
      publish: (piece, id) => {
        const decoded = decodeRequest(piece);
        if (!state.broker || decoded === undefined) return false;
        expect(decoded.head.id).toBe(id);
        sent.push(decoded);
        return true;
      },
      now: () => state.now,
    },
  );
  const outcome = answer.catch((error: unknown) => error);
  const tell = (frame: Frame, { digest = DIGEST, body = "" } = {}) =>
    receive(encodeFrame(frame, { id: token, direction: "down" }, digest, Buffer.from(body)));
  return { answer, outcome, sent, frames, caller, leaving, state, tell, say: (data: Uint8Array) => receive(data) };
}

describe("a request to another relay", () => {
  test("carries its deadline, what the relay needs of its headers, and a proof in place of the key", () => {
    const { sent } = call();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.head).toMatchObject({
      ...{ from: MEMBER, deadline: 1_010_000, method: "POST", path: "/x", credentials: ["api"] },
      headers: { "content-type": "text/plain" },
    });
    expect(sent[0]?.body.toString()).toBe("hello");
    expect(sent[0]?.proofs[0]?.isBy(DIGEST)).toBe(true);
  });

  test("is sent again at once when no relay has received it, under the same id", () => {
    // The pauses are spread by half of them: these are the shortest.
    vi.spyOn(Math, "random").mockReturnValue(0);
    const { sent, say } = call();
    say(new Uint8Array());
    vi.advanceTimersByTime(124);
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(sent).toHaveLength(2);
    expect(sent[1]?.head.id).toBe(sent[0]?.head.id);
    // Told once, it is heard: without another word it is sent again later.
    vi.advanceTimersByTime(999);
    expect(sent).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(sent).toHaveLength(3);
  });

  test("is sent again later when nothing was heard of it", () => {
    const { sent } = call();
    vi.advanceTimersByTime(999);
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(2_002);
    expect(sent.length).toBeGreaterThan(1);
  });

  test("waits for the broker, and for its clock", () => {
    for (const missing of ["broker", "now"] as const) {
      const { sent, state } = call({ broker: missing !== "broker" });
      if (missing === "now") continue;
      expect(sent).toHaveLength(0);
      state.broker = true;
      vi.advanceTimersByTime(376);
      expect(sent).toHaveLength(1);
    }
  });

  test("is given up after its time, and never sent after it", async () => {
    const { outcome, sent, state, leaving, caller } = call();
    vi.advanceTimersByTime(11_499);
    expect(state.isListening).toBe(true);
    vi.advanceTimersByTime(1);
    expect(await outcome).toEqual(away(/box of the session did not answer within 10 s/));
    const count = sent.length;
    vi.advanceTimersByTime(60_000);
    expect([sent.length, state.isListening, leaving.size, caller.listenerCount("close")]).toEqual([count, false, 0, 0]);
  });

  test("that no relay would take is refused here", async () => {
    const { outcome, sent } = call({ request: { path: "no path" } });
    expect(await outcome).toMatchObject({ code: "invalid_request" });
    expect(sent).toHaveLength(0);
  });
});

describe("an answer of another relay", () => {
  const headers = { "content-type": "text/plain" };

  test("is the call's answer, once it is proved with the caller's key", async () => {
    const { answer, tell, state, sent } = call();
    const other = createHash("sha256").update("another key").digest("hex");
    tell({ kind: "answer", n: 0, status: 200, headers }, { digest: other, body: "feigned" });
    tell({ kind: "answer", n: 0, status: 200, headers }, { digest: NO_KEY, body: "feigned" });
    tell({ kind: "answer", n: 0, status: 200, headers }, { body: "hi" });
    expect(await answer).toEqual({ status: 200, headers, body: Buffer.from("hi") });
    vi.advanceTimersByTime(60_000);
    expect([state.isListening, sent.length]).toEqual([false, 1]);
  });

  test("that refuses needs no proof, because a relay that does not know the key has none", async () => {
    const { answer, tell } = call();
    tell({ kind: "answer", n: 0, status: 401, headers }, { digest: NO_KEY });
    vi.advanceTimersByTime(600);
    expect(await answer).toMatchObject({ status: 401 });
  });

  test.each<[string, Frame]>([
    ["an answer", { kind: "answer", n: 0, status: 200, headers }],
    ["a sign of work", { kind: "alive", n: 0, up: UP }],
  ])("that refuses without a proof counts no more after %s with one", async (_what, proved) => {
    const { answer, tell } = call();
    tell({ kind: "answer", n: 0, status: 404, headers }, { digest: NO_KEY });
    vi.advanceTimersByTime(599);
    tell(proved);
    vi.advanceTimersByTime(5_000);
    if (proved.kind === "alive") tell({ kind: "answer", n: 1, status: 200, headers });
    expect(await answer).toMatchObject({ status: 200 });
  });

  test("to a caller without a key is a refusal, whoever sends it", async () => {
    const { answer, tell } = call({ request: { credentials: [] } });
    tell({ kind: "answer", n: 0, status: 200, headers }, { digest: NO_KEY });
    tell({ kind: "answer", n: 0, status: 401, headers }, { digest: NO_KEY });
    expect(await answer).toMatchObject({ status: 401 });
  });

  test("is awaited while the relay says that it works on it, and no longer than it is silent", async () => {
    const { outcome, tell, frames, sent } = call();
    tell({ kind: "alive", n: 0, up: UP });
    expect(frames.map(({ frame }) => frame.kind)).toEqual(["alive"]);
    for (let n = 1; n <= 5; n++) {
      vi.advanceTimersByTime(5_000);
      tell({ kind: "alive", n, up: UP });
    }
    // It was received, so it is never sent again.
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(120_000);
    expect(await outcome).toEqual(away(/it fell silent/));
  });

  test("of which a frame is missing is lost", async () => {
    const { outcome, tell } = call();
    tell({ kind: "alive", n: 0, up: UP });
    tell({ kind: "answer", n: 2, status: 200, headers });
    expect(await outcome).toEqual(away(/an answer was lost on the way/));
  });

  test("that the relay gives up is none", async () => {
    const { outcome, tell } = call();
    tell({ kind: "alive", n: 0, up: UP });
    tell({ kind: "reset", n: 1 });
    expect(await outcome).toEqual(away(/the relay gave it up/));
  });

  test("whose rest follows is a stream, which ends with its caller", async () => {
    const { answer, tell, frames, state, caller } = call();
    tell({ kind: "open", n: 0, status: 200, headers, up: UP });
    const { body, status } = await answer;
    expect(status).toBe(200);
    if (!(body instanceof FleetStream)) throw new Error("no stream");
    const told: string[] = [];
    body.on("data", (data: Buffer) => told.push(data.toString()));
    tell({ kind: "data", n: 1 }, { body: "one" });
    await vi.waitUntil(() => told.length > 0);
    expect(told).toEqual(["one"]);
    expect(caller.listenerCount("close")).toBe(0);
    vi.advanceTimersByTime(11_500);
    expect(state.isListening).toBe(true);
    body.destroy();
    await vi.waitUntil(() => !state.isListening);
    expect(frames.map(({ frame }) => frame.kind)).toContain("reset");
  });
});

describe("the end of a call", () => {
  test("by its caller is told as soon as the relay has said where", async () => {
    const { outcome, caller, tell, frames, state } = call();
    caller.emit("close");
    expect(state.isListening).toBe(true);
    tell({ kind: "alive", n: 0, up: UP });
    expect(frames.map(({ frame }) => frame.kind)).toEqual(["reset"]);
    expect(await outcome).toEqual(away(/The caller is gone/));
    expect(state.isListening).toBe(false);
  });

  test("by its caller after that is told at once", async () => {
    const { outcome, caller, tell, frames } = call();
    tell({ kind: "alive", n: 0, up: UP });
    caller.emit("close");
    expect(frames.map(({ frame }) => frame.kind)).toEqual(["alive", "reset"]);
    expect(await outcome).toEqual(away(/The caller is gone/));
  });

  test("by this relay, which leaves the fleet", async () => {
    const { outcome, leaving } = call();
    expect(leaving.size).toBe(1);
    for (const leave of [...leaving]) leave();
    expect(await outcome).toEqual(away(/this relay has left the fleet/));
    expect(leaving.size).toBe(0);
  });
});

test("the credentials of a request are the digests of its keys", () => {
  const digest = expect.stringMatching(/^[0-9a-f]{64}$|^[A-Za-z0-9_-]{43}$/);
  expect(credentialsOf({})).toEqual([]);
  expect(credentialsOf({ "x-service-token": "pb_x" })).toEqual([{ scheme: "api", digest }]);
  expect(credentialsOf({ authorization: "BEARER pbt_x" })).toEqual([{ scheme: "bearer", digest }]);
  expect(credentialsOf({ authorization: "Basic eDp5" })).toEqual([]);
  expect(credentialsOf({ authorization: "Bearer" })).toEqual([]);
  const both = credentialsOf({ "x-service-token": "pb_x", authorization: "Bearer pb_x" });
  expect(both.map(({ scheme }) => scheme)).toEqual(["api", "bearer"]);
  expect(both[0]?.digest).toBe(both[1]?.digest);
  expect(JSON.stringify(both)).not.toContain("pb_x");
});
