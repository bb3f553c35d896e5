import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  decodeFrame,
  decodeRequest,
  encodeFrame,
  encodeRequest,
  isBodyOf,
  isPassed,
  keyIdOf,
  newToken,
  PIECE_BYTES,
  Token,
} from "../../../../../main/relay/fleet/wire.ts";

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");
const [KEY, OTHER] = [digestOf("a key"), digestOf("another")];
const head = (more: object = {}) => ({
  ...{ id: newToken(), from: `U${"A".repeat(55)}`, deadline: 5, method: "POST" as const, path: "/v1/x?y=z" },
  ...{ headers: { "content-type": "text/plain" }, credentials: ["api" as const], isCut: false, upgrade: false },
  ...more,
});
const context = { id: newToken(), direction: "down" } as const;

describe("a request", () => {
  test("is decoded as it was encoded, and proved by its key alone", () => {
    const given = head();
    const [piece, ...more] = encodeRequest(given, [KEY], Buffer.from("hello"));
    const decoded = decodeRequest(piece ?? new Uint8Array());
    expect([more.length, decoded?.part, decoded?.parts, String(decoded?.body)]).toEqual([0, 0, 1, "hello"]);
    expect(decoded?.head).toMatchObject(given);
    expect(decoded?.proofs.map((proof) => [proof.keyId, proof.isBy(KEY), proof.isBy(OTHER)])).toEqual([
      [keyIdOf(KEY), true, false],
    ]);
    if (decoded === undefined) throw new Error("not decoded");
    expect([isBodyOf(decoded.head, Buffer.from("hello")), isBodyOf(decoded.head, Buffer.from("hallo"))]).toEqual([
      true,
      false,
    ]);
    expect(isBodyOf(decoded.head, Buffer.from("hello!"))).toBe(false);
  });

  test("of several pieces has each piece once, with one head", () => {
    const body = Buffer.alloc(2 * PIECE_BYTES + 1, "x");
    const pieces = encodeRequest(head(), [KEY], body).map((piece) => decodeRequest(piece));
    expect(pieces.map((piece) => [piece?.part, piece?.parts, piece?.body.length])).toEqual([
      [0, 3, PIECE_BYTES],
      [1, 3, PIECE_BYTES],
      [2, 3, 1],
    ]);
    expect(pieces[0]?.headBytes).toEqual(pieces[2]?.headBytes);
    expect(encodeRequest(head(), [KEY], Buffer.alloc(2 * PIECE_BYTES))).toHaveLength(2);
  });

  test("whose head is too large is not encoded", () => {
    expect(() => encodeRequest(head({ path: `/${"x".repeat(49 * 1024)}` }), [KEY], Buffer.alloc(0))).toThrow(
      "the head of a fleet message is too large",
    );
  });

  const [valid = new Uint8Array()] = encodeRequest(head(), [KEY], Buffer.from("hello"));
  const changed = (at: number, value: number) => Uint8Array.from(valid, (byte, index) => (index === at ? value : byte));
  const withHeader = (name: string, value: string) =>
    encodeRequest(head({ headers: { [name]: value } }), [KEY], Buffer.from(""))[0] ?? valid;
  test.each<readonly [string, Uint8Array]>([
    ["nothing", new Uint8Array()],
    ["less than its fixed part", valid.subarray(0, 5)],
    ["another version", changed(0, 2)],
    ["a piece that there is not", changed(1, 1)],
    ["no proof", changed(3, 0)],
    ["a head beyond its end", changed(4, 255)],
    ["a body that is cut short", valid.subarray(0, -1)],
    ["a body that goes on", Uint8Array.from([...valid, 0])],
    ["more proofs than credentials", encodeRequest(head(), [KEY, OTHER], Buffer.from(""))[0] ?? valid],
    ["fewer proofs than credentials", encodeRequest(head(), [], Buffer.from(""))[0] ?? valid],
    ["a path that is none", encodeRequest(head({ path: "x" }), [KEY], Buffer.from(""))[0] ?? valid],
    ...["a\r\nX-Service-Token: b", "a\n", "a\0b", "\u007f", "\u0100"].map(
      (value) => [`the header ${JSON.stringify(value)}`, withHeader("accept", value)] as const,
    ),
    ...["", "a b", "sec-websocket-:", "sec-websocket-\r", "sec-websocket-\u00e9"].map(
      (name) => [`a header named ${JSON.stringify(name)}`, withHeader(name, "a")] as const,
    ),
    ["a field that there is not", encodeRequest(head({ more: 1 }), [KEY], Buffer.from(""))[0] ?? valid],
  ])("with %s is not valid", (_what, data) => {
    expect(decodeRequest(data)).toBeUndefined();
  });
});

describe("a frame", () => {
  const frame = { kind: "data", n: 3 } as const;

  test("is decoded as it was encoded, and proved by key, request, direction and body", () => {
    const data = encodeFrame(frame, context, KEY, Buffer.from("hello"));
    const decoded = decodeFrame(data, context);
    expect([decoded?.frame, String(decoded?.body), decoded?.isBy(KEY), decoded?.isBy(OTHER)]).toEqual([
      ...[frame, "hello", true, false],
    ]);
    expect(decodeFrame(data, { ...context, direction: "up" })?.isBy(KEY)).toBe(false);
    expect(decodeFrame(data, { ...context, id: newToken() })?.isBy(KEY)).toBe(false);
    const other = Uint8Array.from(data, (byte, index) => (index === data.length - 1 ? byte ^ 1 : byte));
    expect(decodeFrame(other, context)?.isBy(KEY)).toBe(false);
  });

  const valid = encodeFrame(frame, context, KEY);
  const changed = (at: number, value: number) => Uint8Array.from(valid, (byte, index) => (index === at ? value : byte));
  test.each([
    ["another version", changed(0, 0)],
    ["a part", changed(1, 1)],
    ["a longer proof", encodeRequest(head(), [KEY], Buffer.from(""))[0] ?? valid],
    ["a head that is no JSON", changed(6 + 32, 0)],
    ["a kind that there is not", encodeFrame({ kind: "other", n: 0 } as never, context, KEY)],
    ["a number below zero", encodeFrame({ kind: "end", n: -1 }, context, KEY)],
    ["a larger body than any piece", encodeFrame(frame, context, KEY, Buffer.alloc(PIECE_BYTES + 1))],
  ])("with %s is not valid", (_what, data) => {
    expect(decodeFrame(data, context)).toBeUndefined();
  });
});

test("tokens are of one form and do not repeat, also beyond what is drawn at once", () => {
  const tokens = Array.from({ length: 600 }, newToken);
  expect(new Set(tokens).size).toBe(600);
  for (const token of tokens) expect(Token.safeParse(token).success).toBe(true);
});

test.each([
  ["accept", true],
  ["content-type", true],
  ["x-service-timeout", true],
  ["sec-websocket-key", true],
  ["x-service-token", false],
  ["x-service-token-x", true],
  ["cookie", false],
  ["authorization", false],
  ["host", false],
  ["x-accept", false],
  ["accept-x", false],
])("the header %s is passed on: %j", (name, isSent) => {
  expect(isPassed(name, { upgrade: false })).toBe(isSent);
  expect(isPassed(name, { upgrade: true })).toBe(isSent);
});

test("the headers of an upgrade are passed on with one only", () => {
  for (const name of ["connection", "upgrade"])
    expect([isPassed(name, { upgrade: true }), isPassed(name, { upgrade: false })]).toEqual([true, false]);
});
