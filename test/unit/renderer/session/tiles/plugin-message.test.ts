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
