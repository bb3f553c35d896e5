import fc from "fast-check";
import { expect, test } from "vitest";
import { errorTable, httpStatusOf, isErrorCode } from "../../../../core/protocol/errors.ts";
import { ClientFrame, parseClientFrame, RelayFrame } from "../../../../core/protocol/frames.ts";
import { isDeeperThan } from "../../../../core/protocol/json-depth.ts";
import { checkRole } from "../../../../core/protocol/roles.ts";
import { decodeTerminalBytes, encodeTerminalBytes } from "../../../../core/protocol/terminal-bytes.ts";

const shellIds = fc.integer({ min: 1, max: 2 ** 32 - 1 });

test("terminal bytes are encoded unchanged, at offsets of any size", () => {
  fc.assert(
    fc.property(
      shellIds,
      fc.nat(Number.MAX_SAFE_INTEGER - 1),
      fc.uint8Array(),
      fc.boolean(),
      (shell, offset, bytes, quiet) => {
        const piece = { shell: shell as never, offset, bytes, quiet };
        const wire = encodeTerminalBytes(piece);
        // As a socket hands it over: somewhere inside a larger buffer.
        const received = new Uint8Array(wire.length + 7);
        received.set(wire, 5);
        expect(decodeTerminalBytes(received.subarray(5, 5 + wire.length))).toEqual(piece);
      },
    ),
  );
  expect(() => decodeTerminalBytes(new Uint8Array(11))).toThrow(RangeError);
});

test("frames without a value survive JSON", () => {
  const overWire = (frame: unknown) => JSON.parse(JSON.stringify(frame)) as unknown;
  const session = { id: "session-1", name: "s", owner: "ann", createdAt: new Date(0).toISOString() };
  const mirror = {
    session,
    clients: [],
    shells: [],
    chat: [],
    tunnels: [],
    agents: [],
    adoptRequests: [],
    roleRequests: [],
    questions: [],
    restrictions: { restrictShells: false, requests: [], allowed: [] },
    plugins: [],
  };
  const welcome = { type: "welcome", client: 1, name: "ann", role: "admin", resume: "t", mirror, saved: undefined };
  expect(RelayFrame.safeParse(overWire(welcome)).error).toBeUndefined();
  expect(RelayFrame.safeParse(overWire({ type: "answer", id: 1, value: undefined })).success).toBe(true);
  expect(ClientFrame.safeParse(overWire({ type: "result", id: 1, value: undefined })).success).toBe(true);
  expect(ClientFrame.safeParse({ type: "result" }).success).toBe(false);
  for (const op of ["", "x".repeat(101), 1]) {
    expect(ClientFrame.safeParse({ type: "ask", id: 1, op, params: {} }).success).toBe(false);
    expect(parseClientFrame({ type: "ask", id: 1, op, params: {} })).toBeUndefined();
  }
});

test("depth counts both lists and objects", () => {
  expect([isDeeperThan(1, 0), isDeeperThan([], 0), isDeeperThan([], 1), isDeeperThan({ a: [{}] }, 2)]).toEqual([
    false,
    true,
    false,
    true,
  ]);
  const deep = JSON.parse("[".repeat(100_000) + "]".repeat(100_000)) as unknown;
  expect(isDeeperThan(deep, 2000)).toBe(true);
});

test("every error code has a status of its kind", () => {
  for (const code of Object.keys(errorTable)) {
    expect(isErrorCode(code)).toBe(true);
    if (isErrorCode(code)) expect(httpStatusOf(code)).toBeGreaterThanOrEqual(400);
  }
  expect([isErrorCode("toString"), isErrorCode("__proto__"), isErrorCode("")]).toEqual([false, false, false]);
});

test.each([
  ["admin", "admin", true],
  ["admin", "writer", false],
  ["writer", "admin", true],
  ["writer", "writer", true],
  ["writer", "reader", false],
  ["reader", "reader", true],
] as const)("a command for a %s, executed by a %s: %s", (needed, has, allowed) => {
  const check = () => checkRole("it", needed, has);
  if (allowed) expect(check).not.toThrow();
  else expect(check).toThrow(expect.objectContaining({ code: "role_forbids" }));
});

const ask = { type: "ask", id: 1, op: "writeShell", params: { shell: 1, data: "x" } };

test.each([
  ask,
  { ...ask, for: 2 },
  { ...ask, for: undefined },
  { ...ask, params: undefined },
  { type: "ask", id: 1, op: "getAgentSessions" },
  ...[1.5, "1", null, undefined, 2 ** 53].map((id) => ({ ...ask, id })),
  ...["2", null, 0.5].map((command) => ({ ...ask, for: command })),
  ...["toString", "__proto__", 1, undefined].map((op) => ({ ...ask, op })),
  { type: "unlisten", shell: 1 },
  { type: "asks", id: 1, op: "writeShell" },
  null,
  "ask",
  [],
])("a frame is recognised as its schema does it: %j", (frame) => {
  expect(parseClientFrame(frame)).toEqual(ClientFrame.safeParse(frame).data);
});
