import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ReadingTurn } from "../../../../main/shells/reading-turn.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setImmediate", "clearImmediate", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function turnOf() {
  const held: boolean[] = [];
  return { turn: new ReadingTurn((now) => held.push(now)), held };
}

const taking = (ms: number) => () => void vi.advanceTimersByTime(ms);

test("output that is handled quickly is read on", () => {
  const { turn, held } = turnOf();
  turn.run(taking(1));
  expect(held).toEqual([]);
});

test("output that takes long is read on in the next turn of the event loop, and from then on as before", () => {
  const { turn, held } = turnOf();
  turn.run(taking(1));
  turn.run(taking(1));
  expect(held).toEqual([true]);
  vi.runAllTimers();
  expect(held).toEqual([true, false]);
  turn.run(taking(1));
  expect(held).toEqual([true, false]);
});

test("nothing is held or read once the shell is gone", () => {
  const { turn, held } = turnOf();
  turn.run(taking(3));
  turn.dispose();
  vi.runAllTimers();
  expect(held).toEqual([true]);
});
