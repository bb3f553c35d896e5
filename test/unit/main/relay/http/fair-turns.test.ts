import { setImmediate as turnOver } from "node:timers/promises";
import { expect, test } from "vitest";
import { FairTurns } from "../../../../../main/relay/http/fair-turns.ts";

test("a caller with many requests has one after the other, and another caller's starts at once", async () => {
  const turns = new FairTurns();
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
