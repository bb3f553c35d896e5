import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OutputThrottle, type ThrottlingSubscription } from "../../../../main/shells/output-throttle.ts";

const MIB = 1024 * 1024;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  vi.advanceTimersByTime(1000);
});
afterEach(() => {
  vi.useRealTimers();
});

test("a program waits while even the fastest listener is far behind, and goes on when it has caught up", () => {
  const [fast, slow] = [at(0), at(0)];
  const { brake, held } = brakeFor(fast, slow);
  brake.update(2 * MIB);
  expect(held).toEqual([]);
  brake.update(2 * MIB + 1);
  expect(held).toEqual([true]);
  acknowledge(fast, 1.2 * MIB);
  vi.advanceTimersByTime(20);
  expect(held).toEqual([true, false]);
  expect(vi.getTimerCount()).toBe(0);
});

test("nobody waits for a listener that is slower than another, has stopped, or never began", () => {
  const [fast, slow] = [at(0), at(0)];
  const never = { acknowledgedAt: undefined, acknowledged: 0, rate: 0 };
  const { brake, held } = brakeFor(fast, slow, never);
  acknowledge(fast, 9 * MIB);
  brake.update(10 * MIB);
  vi.advanceTimersByTime(101);
  brake.update(90 * MIB);
  expect(held).toEqual([]);
});

test("the hold is shorter than what node-pty reads on after the end, and what the system holds is read between two", () => {
  const slow = at(0);
  const { brake, held } = brakeFor(slow);
  brake.update(3 * MIB);
  for (let ms = 0; ms < 100; ms += 20) {
    acknowledge(slow, 1);
    vi.advanceTimersByTime(20);
  }
  expect(held).toEqual([true, false]);
  acknowledge(slow, 2);
  brake.update(3 * MIB + 200_000);
  expect(held).toEqual([true, false]);
  brake.update(3 * MIB + 300_000);
  expect(held).toEqual([true, false, true]);
});

test("released, it looks no more", () => {
  const { brake, held } = brakeFor(at(0));
  brake.update(3 * MIB);
  brake.release();
  brake.release();
  expect(held).toEqual([true, false]);
  expect(vi.getTimerCount()).toBe(0);
});

test("nobody waits for a page that draws: it is skipped ahead", () => {
  const drawing = at(0, 7_000);
  const { brake, held } = brakeFor(drawing);
  brake.update(3 * MIB);
  expect(held).toEqual([]);
});

interface Place {
  acknowledgedAt: number;
  acknowledged: number;
  rate: number;
}

/** A listener that has just taken in so much, so fast. */
function at(acknowledged: number, rate = 40_000): Place {
  return { acknowledgedAt: performance.now(), acknowledged, rate };
}

function acknowledge(place: Place, acknowledged: number): void {
  place.acknowledged = acknowledged;
  place.acknowledgedAt = performance.now();
}

function brakeFor(...listeners: ThrottlingSubscription[]) {
  const held: boolean[] = [];
  return { brake: new OutputThrottle(listeners, (hold) => held.push(hold)), held };
}
