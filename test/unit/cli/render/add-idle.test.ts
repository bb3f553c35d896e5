import { expect, onTestFinished, test, vi } from "vitest";
import { addIdle } from "../../../../cli/render/add-idle.ts";

const NOW = Date.UTC(2026, 0, 1, 12);

test("each row says for how many seconds it has been idle, and never less than none", () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  onTestFinished(() => void vi.useRealTimers());
  const rowOf = (ms: number) => ({ id: 3, activeAt: new Date(NOW + ms).toISOString() });
  expect(addIdle([rowOf(-90_900), rowOf(60_000)])).toEqual([
    { ...rowOf(-90_900), idle: 90 },
    { ...rowOf(60_000), idle: 0 },
  ]);
});

test("what a machine sends in place of a time is left as it is", () => {
  const odd = [
    { activeAt: { toString: 1 } },
    { activeAt: ["2026"] },
    { activeAt: "soon" },
    { activeAt: null },
    null,
    3,
  ];
  expect(addIdle(odd)).toEqual(odd);
  expect(addIdle({ activeAt: new Date(NOW).toISOString() })).not.toHaveProperty("idle");
});
