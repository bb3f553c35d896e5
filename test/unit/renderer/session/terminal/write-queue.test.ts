import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ShellId } from "../../../../../core/protocol/ids.ts";
import { TypingPriority, WriteQueue } from "../../../../../renderer/session/terminal/write-queue.ts";

const [typed, other] = [ShellId.parse(1), ShellId.parse(2)];
const KB = 1024;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A terminal that parses a piece when it is told to. */
function terminal() {
  const pending: (() => void)[] = [];
  const parsed: number[] = [];
  const quiet: number[] = [];
  return {
    parsed,
    quiet,
    write(bytes: Uint8Array, done: () => void, isQuiet: boolean) {
      pending.push(() => {
        parsed.push(bytes.length);
        if (isQuiet) quiet.push(bytes.length);
        done();
      });
    },
    /** Whether there was something to parse. */
    parse: () => pending.shift()?.() !== undefined || parsed.length > 0,
    pending,
  };
}

function setUp() {
  const frames: (() => void)[] = [];
  const priority = new TypingPriority((callback) => frames.push(callback));
  const of = (shell: ShellId) => {
    const parts = terminal();
    return { ...parts, queue: new WriteQueue(parts, shell, priority) };
  };
  const draw = () => {
    for (const frame of frames.splice(0)) frame();
  };
  return { priority, own: of(typed), flood: of(other), draw };
}

test("a terminal gets its output in order, a piece at a time, and confirms it once it has parsed it all", () => {
  const { flood } = setUp();
  const done: string[] = [];
  flood.queue.add(new Uint8Array(40 * KB), () => done.push("first"));
  flood.queue.add(new Uint8Array(1), () => done.push("second"));
  flood.queue.add(new Uint8Array(), () => done.push("settled"));
  expect(flood.pending).toHaveLength(1);
  while (flood.pending.length > 0) {
    expect(flood.pending).toHaveLength(1);
    flood.parse();
  }
  expect(flood.parsed).toEqual([16 * KB, 16 * KB, 8 * KB, 1, 0]);
  expect(done).toEqual(["first", "second", "settled"]);
});

test("while the echo of a key is due the others wait; they go on after the frame that shows it", () => {
  const { priority, own, flood, draw } = setUp();
  flood.queue.add(new Uint8Array(64 * KB), () => undefined);
  flood.parse();
  priority.typed(typed);
  flood.parse();
  expect(flood.pending).toHaveLength(0);

  own.queue.add(new Uint8Array(1), () => undefined);
  own.parse();
  expect(flood.pending).toHaveLength(0);
  draw();
  expect(flood.pending).toHaveLength(1);
});

test("a program that echoes nothing holds the others for 50 ms at most, however fast keys come", () => {
  const { priority, flood } = setUp();
  priority.typed(typed);
  flood.queue.add(new Uint8Array(1), () => undefined);
  vi.advanceTimersByTime(30);
  priority.typed(typed);
  expect(flood.pending).toHaveLength(0);
  vi.advanceTimersByTime(20);
  expect(flood.pending).toHaveLength(1);
});

test("a late frame of one key does not end the hold of the next", () => {
  const { priority, own, flood, draw } = setUp();
  priority.typed(typed);
  own.queue.add(new Uint8Array(1), () => undefined);
  own.parse();
  vi.advanceTimersByTime(50);
  priority.typed(typed);
  flood.queue.add(new Uint8Array(1), () => undefined);
  draw();
  expect(flood.pending).toHaveLength(0);
});

test("what is dropped counts as parsed, once, and later output follows", () => {
  const { priority, flood, draw } = setUp();
  const done = vi.fn();
  flood.queue.add(new Uint8Array(20 * KB), done);
  flood.queue.clear();
  expect(done).toHaveBeenCalledTimes(1);
  const next = vi.fn();
  flood.queue.add(new Uint8Array(1), next);
  flood.parse();
  flood.parse();
  expect([done.mock.calls.length, next.mock.calls.length]).toEqual([1, 1]);

  // A terminal that goes while it waits does not come back with the end of the hold.
  priority.typed(typed);
  flood.queue.add(new Uint8Array(1), done);
  flood.queue.clear();
  vi.advanceTimersByTime(50);
  draw();
  expect(flood.pending).toHaveLength(0);
});

test("every piece of output that is not to be answered is quiet, and none of another one", () => {
  const { flood } = setUp();
  flood.queue.add(new Uint8Array(20 * KB), () => undefined, true);
  flood.queue.add(new Uint8Array(3), () => undefined);
  while (flood.pending.length > 0) flood.parse();
  expect(flood.parsed).toEqual([16 * KB, 4 * KB, 3]);
  expect(flood.quiet).toEqual([16 * KB, 4 * KB]);
});
