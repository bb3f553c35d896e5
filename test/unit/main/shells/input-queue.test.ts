import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { INPUT_LIMIT_BYTES, InputQueue } from "../../../../main/shells/input-queue.ts";
import { until } from "../../../support/until.ts";

/** A terminal with so much room, which its program empties when told. */
function terminal(room: number) {
  const read: Buffer[] = [];
  const state = { room, writes: 0 };
  const queue = new InputQueue((bytes) => {
    state.writes += 1;
    const taken = Math.min(state.room, bytes.length);
    state.room -= taken;
    read.push(Buffer.from(bytes.subarray(0, taken)));
    return taken;
  });
  return { queue, state, read: () => Buffer.concat(read) };
}

describe("the queue of input", () => {
  test("what fits is in the terminal at once, so that a key costs no turn of the event loop", () => {
    const { queue, read } = terminal(100);
    queue.push(Buffer.from("x"));
    expect([read().toString(), queue.queued]).toEqual(["x", 0]);
  });

  test("what does not fit waits, and follows by itself, in order, when there is room", async () => {
    const { queue, state, read } = terminal(3);
    queue.push(Buffer.from("abcdef"));
    queue.push(Buffer.from("\x03"));
    expect([read().toString(), queue.queued]).toEqual(["abc", 4]);
    state.room = 2;
    await until("two more", () => queue.queued === 2);
    state.room = 100;
    await until("the rest", () => queue.queued === 0);
    expect(read().toString()).toBe("abcdef\x03");
  });

  test("output of the program makes it try at once, but not at every piece of a flood", async () => {
    const { queue, state } = terminal(0);
    queue.push(Buffer.from("abc"));
    await until("a try that is some time ago", () => state.writes > 4);
    state.room = 10;
    await new Promise((resolve) => setTimeout(resolve, 2));
    queue.retry();
    expect(queue.queued).toBe(0);
    state.room = 0;
    queue.push(Buffer.from("abc"));
    await until("a try", () => state.writes > 7);
    const before = state.writes;
    for (let piece = 0; piece < 1000; piece++) queue.retry();
    expect(state.writes - before).toBeLessThan(50);
    queue[Symbol.dispose]();
  });

  test("what waits for a program that has paused for long is in its terminal within 64 ms of its going on", () => {
    vi.useFakeTimers();
    const { queue, state, read } = terminal(0);
    queue.push(Buffer.from("abc"));
    vi.advanceTimersByTime(60_000);
    const { writes } = state;
    vi.advanceTimersByTime(640);
    expect(state.writes - writes).toBe(10);
    state.room = 100;
    vi.advanceTimersByTime(64);
    expect([read().toString(), queue.queued]).toEqual(["abc", 0]);
    vi.useRealTimers();
  });

  test("a program that does not read costs few tries", async () => {
    const { queue, state } = terminal(0);
    queue.push(Buffer.from("abc"));
    await new Promise((resolve) => setTimeout(resolve, 1000));
    queue[Symbol.dispose]();
    expect(state.writes).toBeLessThan(30);
    const after = state.writes;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([state.writes, queue.queued]).toEqual([after, 0]);
  });

  test("takes 16 MiB and no more", () => {
    const { queue } = terminal(0);
    queue.push(Buffer.alloc(INPUT_LIMIT_BYTES - 1));
    expect([queue.hasRoomFor(1), queue.hasRoomFor(2)]).toEqual([true, false]);
    queue[Symbol.dispose]();
  });

  test("single bytes cost no more memory than large pieces", () => {
    const { queue } = terminal(0);
    const before = process.memoryUsage().rss;
    for (let byte = 0; byte < 2_000_000; byte++) queue.push(Buffer.from("x"));
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
    expect(queue.queued).toBe(2_000_000);
    queue[Symbol.dispose]();
  });

  test("whatever is written and whenever there is room: every byte once, in order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 60_000, max: 300_000 })), {
          maxLength: 12,
        }),
        fc.array(fc.integer({ min: 0, max: 400_000 }), { minLength: 1, maxLength: 12 }),
        async (sizes, rooms) => {
          const { queue, state, read } = terminal(0);
          const all: Buffer[] = [];
          for (const [index, size] of sizes.entries()) {
            const bytes = Buffer.alloc(size, index + 1);
            all.push(bytes);
            state.room = rooms[index % rooms.length] ?? 0;
            queue.push(bytes);
            if (index % 3 === 2) await new Promise((resolve) => setImmediate(resolve));
          }
          state.room = Number.POSITIVE_INFINITY;
          await until("all", () => queue.queued === 0);
          expect(read().equals(Buffer.concat(all))).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });
});
