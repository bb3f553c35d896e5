import { expect, test } from "vitest";
import { formatDuration, formatMilliseconds } from "../../../../renderer/ui/format-duration.ts";

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
