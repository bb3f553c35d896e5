import { expect, test } from "vitest";
import { TokenBucket, TokenBuckets, WindowLimit } from "../../../../core/protocol/rate-limits.ts";

function handClock() {
  let now = 5;
  const clock = () => now;
  const wait = (ms: number) => {
    now += ms;
  };
  return Object.assign(clock, { wait });
}

test("a bucket gives what it holds, then so many a second, and never more than it holds", () => {
  const clock = handClock();
  const bucket = new TokenBucket({ capacity: 3, perSecond: 10 }, clock);
  const taken = (count: number) => Array.from({ length: count }, () => bucket.take());
  expect(taken(4)).toEqual([true, true, true, false]);
  clock.wait(99);
  expect(bucket.take()).toBe(false);
  clock.wait(1);
  expect(taken(2)).toEqual([true, false]);
  clock.wait(60_000);
  expect(taken(4)).toEqual([true, true, true, false]);
});

test("what is spent beyond the bucket takes time, more for every one that follows", () => {
  const clock = handClock();
  const bucket = new TokenBucket({ capacity: 3, perSecond: 1000 }, clock);
  expect([bucket.spend(2.5), bucket.spend(0.5), bucket.spend(1.5), bucket.spend(1)]).toEqual([0, 0, 1.5, 2.5]);
  clock.wait(2.5);
  expect([bucket.take(), bucket.spend(0)]).toEqual([false, 0]);
});

test("each key has a bucket of its own that outlives its use, and keys without end cost no memory", () => {
  const clock = handClock();
  const buckets = new TokenBuckets({ capacity: 1, perSecond: 1 }, clock);
  expect([buckets.of("a").take(), buckets.of("a").take(), buckets.of("b").take()]).toEqual([true, false, true]);
  expect([buckets.of(undefined).take(), buckets.of(undefined).take()]).toEqual([true, true]);
  clock.wait(500);
  const others = Array.from({ length: 9998 }, (_, index) => buckets.of(`${index}`));
  buckets.of("one more");
  // Those that are full are forgotten, and those that are not stay.
  expect([buckets.of("a").take(), buckets.of("0") === others[0]]).toEqual([false, false]);
});

test("a window lets so many through in any period of its length", () => {
  const clock = handClock();
  const limit = new WindowLimit({ most: 2, windowMs: 100 }, clock);
  expect(limit.take()).toBe(0);
  clock.wait(60);
  expect([limit.take(), limit.take(), limit.wait()]).toEqual([0, 40, 40]);
  clock.wait(40);
  // The second one still counts: a new period does not begin afresh.
  expect([limit.wait(), limit.take(), limit.take()]).toEqual([0, 0, 60]);
});

test("each key has a window of its own, and keys without end cost no memory", () => {
  const clock = handClock();
  const limit = new WindowLimit({ most: 1, windowMs: 100 }, clock);
  expect([limit.take("a"), limit.take("b"), limit.take("a")]).toEqual([0, 0, 100]);
  for (let index = 0; index < 10_000; index++) limit.take(`key ${index}`);
  expect(limit.wait("a")).toBe(0);
});
