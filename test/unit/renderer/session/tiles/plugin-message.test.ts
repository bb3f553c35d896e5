import { expect, test } from "vitest";
import { readPluginMessage } from "../../../../../renderer/session/tiles/plugin-message.ts";

const call = { id: 1, do: "call", method: "getShells", params: {} };

test.each([call, { id: 2, do: "get", key: "range" }, { id: 3, do: "set", key: "range", value: null }])(
  "reads %j",
  (message) => {
    expect(readPluginMessage(message)).toEqual(message);
  },
);

test("rejects everything else: other types, cycles, deep or large values", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const deep = Array.from({ length: 40 }).reduce<unknown>((inner) => [inner], 0);
  const wrong = [
    undefined,
    "call",
    { ...call, do: "eval" },
    { ...call, more: 1 },
    { ...call, id: "1" },
    { ...call, params: [] },
    { ...call, params: cycle },
    { ...call, params: { deep } },
    { ...call, params: { text: "x".repeat(65 * 1024) } },
    { ...call, params: { big: 1n } },
    { id: 1, do: "get", key: "" },
    { id: 1, do: "set", key: "range" },
  ];
  expect(wrong.map(readPluginMessage)).toEqual(wrong.map(() => undefined));
});

test("rejects a short message that is long as JSON, without writing it out", () => {
  const twice = Array.from({ length: 30 }).reduce<unknown>((inner) => [inner, inner], "x");
  const named = Array.from({ length: 30 }).reduce<unknown>((inner) => ({ a: inner, b: inner }), 1);
  const text = "x".repeat(60 * 1024);
  const sparse: unknown[] = [];
  sparse.length = 2 ** 32 - 1;
  const wrapped = new String(text.repeat(100));
  const values = [twice, named, Array.from({ length: 30 }, () => text), sparse, new Uint8Array(1 << 16), wrapped];
  for (const value of values) expect(readPluginMessage({ id: 1, do: "set", key: "k", value })).toBeUndefined();
});

test("looks at nothing of a list that is too long", () => {
  let reads = 0;
  const value = new Proxy(new Array<number>(70_000), { ownKeys: () => [`${reads++}`] });
  expect(readPluginMessage({ id: 1, do: "set", key: "k", value })).toBeUndefined();
  expect(reads).toBe(0);
});

test("reads dates as JSON has them", () => {
  const value = new Date(Date.UTC(2026, 0, 1));
  expect(readPluginMessage({ id: 1, do: "set", key: "k", value })).toMatchObject({ value: "2026-01-01T00:00:00.000Z" });
});

test("reads a message as long as it may be", () => {
  const value = Array.from({ length: 4600 }, (_, index) => ({ [`n${index}`]: "é" }));
  expect(JSON.stringify(value).length).toBeGreaterThan(60_000);
  expect(readPluginMessage({ id: 1, do: "set", key: "k", value })).toBeDefined();
});
