import { setImmediate as immediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { eachInTurns } from "../../../../main/system/in-turns.ts";

/** Holds the event loop. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test("what is done with each of many items lets everything else have its turn, in their order", async () => {
  const items = Array.from({ length: 40 }, (_, index) => index);
  const done: number[] = [];
  const doneAtTurns: number[] = [];
  const all = eachInTurns(items, (item) => {
    work(4);
    done.push(item);
  });
  while (done.length < items.length) {
    doneAtTurns.push(done.length);
    await immediate();
  }
  await all;
  expect(done).toEqual(items);
  expect(doneAtTurns.length).toBeGreaterThan(items.length / 4);
});

test("an error with one of the items is that of all", async () => {
  const done: string[] = [];
  const all = eachInTurns(["one", "two", "three"], (item) => {
    if (item === "two") throw new Error("two");
    done.push(item);
  });
  await expect(all).rejects.toThrow("two");
  expect(done).toEqual(["one"]);
});
