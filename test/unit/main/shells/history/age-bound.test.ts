import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { AgeBound } from "../../../../../main/shells/history/age-bound.ts";

const DAY = 24 * 3600_000;
const NOW = Date.UTC(2026, 0, 1);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: NOW });
  onTestFinished(() => void vi.useRealTimers());
});

test("output is too old after so many days, also where none was recorded before", () => {
  expect(new AgeBound(undefined).before(30)).toBe(NOW - 30 * DAY);
  const age = new AgeBound(NOW - 6 * DAY);
  expect(age.before(30)).toBe(NOW - 30 * DAY);
  vi.advanceTimersByTime(40 * DAY);
  expect(age.before(30)).toBe(NOW + 10 * DAY);
});

test("a clock that is set on by months makes nothing old before a day has passed", () => {
  const age = new AgeBound(NOW);
  expect(age.before(30)).toBe(NOW - 30 * DAY);
  vi.setSystemTime(NOW + 90 * DAY);
  expect(age.before(30)).toBeUndefined();
  vi.advanceTimersByTime(DAY - 1);
  expect(age.before(30)).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(age.before(30)).toBe(NOW + 61 * DAY);
});

test("a clock that is set right again has made nothing old", () => {
  const age = new AgeBound(NOW);
  vi.setSystemTime(NOW + 90 * DAY);
  expect(age.before(30)).toBeUndefined();
  vi.setSystemTime(NOW);
  expect(age.before(30)).toBeUndefined();
  vi.advanceTimersByTime(DAY);
  expect(age.before(30)).toBe(NOW - 29 * DAY);
});

test("a clock that was set on while nothing ran is not believed either", () => {
  const age = new AgeBound(NOW - 8 * DAY);
  expect(age.before(30)).toBeUndefined();
  vi.advanceTimersByTime(DAY);
  expect(age.before(30)).toBe(NOW - 29 * DAY);
});

test("a laptop that sleeps at night and over a weekend keeps no longer than it is to", () => {
  const age = new AgeBound(NOW);
  for (let day = 1; day < 60; day++) {
    // The monotonic clock may stand still meanwhile.
    vi.setSystemTime(NOW + day * 3 * DAY);
    expect(age.before(30)).toBe(NOW + (day * 3 - 30) * DAY);
  }
});
