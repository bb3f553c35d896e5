import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Coalescer } from "../../../../main/shells/coalesce.ts";

const PIECE = 64 * 1024;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("the first piece after a silence is delivered at once, what follows it as soon as what is ready has been read", () => {
  const { coalescer, delivered } = gather();
  coalescer.note(1);
  expect(delivered).toEqual([1]);
  coalescer.note(2);
  coalescer.note(3);
  expect(delivered).toEqual([1]);
  vi.advanceTimersByTime(0);
  expect(delivered).toEqual([1, 5]);
  vi.advanceTimersByTime(5);
  coalescer.note(4);
  expect(delivered).toEqual([1, 5, 4]);
});

test("output that never pauses has no first piece, however small its pieces are", () => {
  const { coalescer, delivered } = gather();
  for (let piece = 0; piece < 10; piece += 1) {
    coalescer.note(1);
    vi.advanceTimersByTime(3);
  }
  expect(delivered).toEqual(Array(10).fill(1));
  coalescer.note(1);
  expect(delivered).toHaveLength(10);
});

test("a first piece that makes the stream busy waits for the others", () => {
  const { coalescer, delivered } = gather();
  coalescer.note(17 * 1024);
  expect(delivered).toEqual([]);
  vi.advanceTimersByTime(4);
  expect(delivered).toEqual([17 * 1024]);
});

test("a busy stream is delivered in whole pieces, and its rest a moment later", () => {
  const { coalescer, delivered } = gather();
  for (let read = 0; read < 20; read += 1) coalescer.note(4095);
  expect(delivered).toEqual([4095, PIECE - 4095]);
  vi.advanceTimersByTime(4);
  expect(delivered).toEqual([4095, PIECE - 4095, 20 * 4095 - PIECE]);
});

test("a flush delivers all at once, and nothing twice", () => {
  const { coalescer, delivered } = gather();
  for (let read = 0; read < 18; read += 1) coalescer.note(4095);
  coalescer.flush();
  vi.advanceTimersByTime(100);
  expect(delivered).toEqual([4095, PIECE - 4095, 18 * 4095 - PIECE]);
});

/** A coalescer before a log whose pieces are of one size. */
function gather() {
  const delivered: number[] = [];
  let end = 0;
  let told = 0;
  const coalescer = new Coalescer((amount) => {
    const upTo = amount === "all" ? end : end - (end % PIECE);
    if (upTo > told) delivered.push(upTo - told);
    told = upTo;
    return end - told;
  });
  const note = (bytes: number) => {
    end += bytes;
    coalescer.note(bytes);
  };
  return { coalescer: { note, flush: () => coalescer.flush() }, delivered };
}
