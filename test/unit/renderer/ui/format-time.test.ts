import { expect, test } from "vitest";
import { formatDay, formatTime, formatTimeOfDay, isSameDay } from "../../../../renderer/ui/format-time.ts";

const now = new Date(2026, 2, 14, 0, 30);
const at = (...date: [number, number, number, number]) => new Date(...date).toISOString();

test("a day is said in words while it is near, with its year only if that is another", () => {
  expect(formatDay(at(2026, 2, 14, 0), now, "en")).toBe("Today");
  expect(formatDay(at(2026, 2, 13, 23), now, "en")).toBe("Yesterday");
  expect(formatDay(at(2026, 2, 11, 8), now, "en-US")).toBe("Wed, Mar 11");
  expect(formatDay(at(2025, 2, 14, 8), now, "en-US")).toMatch(/2025/);
  expect(formatDay(at(2026, 2, 13, 8), now, "de")).toBe("Gestern");
});

test("a time of another day has its date", () => {
  const today = at(2026, 2, 14, 0);
  expect(formatTime(today, now)).toBe(formatTimeOfDay(today));
  expect(formatTime(at(2026, 2, 13, 23), now)).not.toBe(formatTimeOfDay(at(2026, 2, 13, 23)));
  expect(isSameDay(at(2026, 2, 13, 23), at(2026, 2, 14, 0))).toBe(false);
});
