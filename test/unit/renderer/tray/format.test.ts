import { expect, test } from "vitest";
import { formatDollars, formatMilliseconds } from "../../../../renderer/tray/format.ts";
import { formatDuration } from "../../../../renderer/ui/format-duration.ts";

test("a sum above zero is never shown as zero", () => {
  const cent = new Intl.NumberFormat(undefined, { style: "currency", currency: "USD" }).format(0.01);
  expect(formatDollars(0)).not.toContain("<");
  expect(formatDollars(0.0004)).toBe(`< ${cent}`);
});

test("durations take the largest unit", () => {
  expect([12, 3400, 59_700, 125_000].map(formatMilliseconds)).toEqual([
    "12 ms",
    `${(3.4).toLocaleString()} s`,
    "1 min 0 s",
    "2 min 5 s",
  ]);
  expect([
    formatDuration(400),
    formatDuration(40_000),
    formatDuration(150_000),
    formatDuration(7_300_000),
    formatDuration(180_000_000),
  ]).toEqual(["", "40 s", "2 min", "2 h", "2 d"]);
});
