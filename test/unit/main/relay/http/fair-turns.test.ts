import { setImmediate as turnOver } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { FairTurns } from "../../../../../main/relay/http/fair-turns.ts";

test("a caller with many requests has one after the other, and another caller's starts at once", async () => {
  const turns = new FairTurns({ now: () => 0, processorMs: () => 0 });
  const order: string[] = [];
  const start = (caller: string, name: string) => {
    const turn = turns.take(caller);
    if (turn === undefined) order.push(name);
    else void turn.then(() => order.push(name));
  };
  for (let one = 0; one < 5; one += 1) start("greedy", `greedy ${one}`);
  expect(order).toEqual(["greedy 0"]);
  await turnOver();
  await turnOver();
  start("modest", "modest");
  expect(order.at(-1)).toBe("modest");
  expect(order.length).toBeLessThan(5);
  start("greedy", "greedy 5");
  while (order.length < 7) await turnOver();
  expect(order.filter((name) => name !== "modest")).toEqual([0, 1, 2, 3, 4, 5].map((one) => `greedy ${one}`));
});

test("a caller that asks once a turn never waits", async () => {
  const turns = new FairTurns();
  for (let one = 0; one < 5; one += 1) {
    expect(turns.take("alone")).toBeUndefined();
    await turnOver();
    await turnOver();
  }
});

test("a caller alone starts a few in a turn, and one again as soon as another has called", async () => {
  let now = 0;
  const turns = new FairTurns({ now: () => now, processorMs: () => 0 });
  const started = () => {
    let count = 0;
    while (turns.take("greedy") === undefined) count += 1;
    return count;
  };
  turns.take("modest");
  turns.take("greedy");
  now = 101;
  expect(started()).toBe(3);
  for (let turn = 0; turn < 5; turn += 1) await turnOver();
  expect(started()).toBe(4);
  for (let turn = 0; turn < 5; turn += 1) await turnOver();
  expect(turns.take("modest")).toBeUndefined();
  expect(started()).toBe(1);
});

test("those who queue wait for twice the processor time of their last turn while others call, and only then", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    let [now, processorMs] = [0, 0];
    const turns = new FairTurns({ now: () => now, processorMs: () => processorMs });
    let started = 0;
    const start = () => void turns.take("greedy")?.then(() => (started += 1));
    turns.take("modest");
    for (let one = 0; one < 6; one += 1) start();
    processorMs = 10;
    await turnOver();
    await turnOver();
    expect(started).toBe(1);
    await vi.advanceTimersByTimeAsync(19);
    expect(started).toBe(1);
    // Those who do not queue wait for nothing meanwhile.
    expect(turns.take("modest")).toBeUndefined();
    processorMs = 20;
    await vi.advanceTimersByTimeAsync(1);
    expect(started).toBe(2);
    now = 101;
    await vi.advanceTimersByTimeAsync(20);
    while (started < 5) await turnOver();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
