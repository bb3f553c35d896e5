import { expect, test, vi } from "vitest";
import type { OutputFrame, ShellExit } from "../../../../core/protocol/shell-host.ts";
import { FlowControlledSubscription } from "../../../../main/shells/flow-control.ts";
import { OutputLog } from "../../../../main/shells/output-log.ts";

test("delivers no more than the window, and goes on after an ack", () => {
  const { log, frames, listener } = listen({ window: 4, from: 0 });
  log.append(Buffer.from("abcdefghij"));
  listener.pump();
  expect(text(frames)).toBe("abcd");
  listener.acknowledge(2);
  expect(text(frames)).toBe("abcdef");
  listener.acknowledge(100);
  expect(text(frames)).toBe("abcdefghij");
  expect(frames.map((frame) => frame.offset)).toEqual([0, 4, 6]);
});

test("a window that opens by a little is not filled by a little", () => {
  const { log, frames, listener } = listen({ window: 8, from: 0 });
  log.append(Buffer.from("abcdefghijklmnop"));
  listener.pump();
  listener.acknowledge(1);
  expect(text(frames)).toBe("abcdefgh");
  listener.acknowledge(1);
  expect(text(frames)).toBe("abcdefghij");
});

test("what is still being gathered waits, also when the window opens", () => {
  const { log, frames, listener, source } = listen({ window: 8, from: 0 });
  log.append(Buffer.from("abcdef"));
  source.delivered = () => 4;
  listener.pump();
  listener.acknowledge(4);
  expect(text(frames)).toBe("abcd");
  source.delivered = () => 6;
  listener.pump();
  expect(text(frames)).toBe("abcdef");
});

test("knows how fast it is lately", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const { log, listener } = listen({ window: 1_000_000, from: 0 });
    log.append(Buffer.alloc(500_000, "x"));
    listener.pump();
    vi.advanceTimersByTime(10_000);
    listener.acknowledge(1000);
    for (let turn = 0; turn < 4; turn += 1) {
      vi.advanceTimersByTime(10);
      listener.acknowledge(100_000);
    }
    expect(listener.rate).toBeCloseTo((1000 + 200_000) / 30);
    expect(listener.acknowledged).toBe(401_000);
  } finally {
    vi.useRealTimers();
  }
});

test("tells the end after the output, once", () => {
  const { log, frames, listener, source } = listen({ window: 3, from: "now" });
  log.append(Buffer.from("xyz!"));
  source.exited = { exitCode: 2, signal: null };
  listener.pump();
  expect(frames.map((frame) => frame.kind)).toEqual(["output"]);
  listener.acknowledge(3);
  listener.acknowledge(1);
  expect(frames.at(-1)).toEqual({ kind: "end", offset: 4, exitCode: 2, signal: null });
  expect(frames.filter((frame) => frame.kind === "end")).toHaveLength(1);
});

test("one that fell behind gets a snapshot, is told what it missed, and goes on from there", async () => {
  const { log, frames, listener, settled } = listen({ window: 10, from: 0, keptBytes: 1000 });
  for (let round = 0; round < 30; round++) log.append(Buffer.alloc(1000, "x"));
  listener.pump();
  await settled();
  expect(frames).toEqual([
    { kind: "snapshot", missed: 30_000, snapshot: "screen", cols: 80, rows: 24, offset: 30_000 },
  ]);
  log.append(Buffer.from("more!"));
  listener.pump();
  // The snapshot's 6 bytes fill most of the window until they are acknowledged.
  expect(text(frames)).toBe("more");
  listener.acknowledge(6);
  expect(text(frames)).toBe("more!");
});

test("one that throws is stopped", () => {
  const { log, listener } = listen({ window: 10, from: 0, fail: true });
  log.append(Buffer.from("a"));
  listener.pump();
  expect(listener.stopped).toBe(true);
});

function listen(wish: { window: number; from: number | "now" | "screen"; keptBytes?: number; fail?: boolean }) {
  const log = new OutputLog({}, wish.keptBytes);
  const frames: OutputFrame[] = [];
  const source = {
    log,
    delivered: () => log.end,
    exited: null as ShellExit | null,
    exit: () => source.exited,
    snapshot: async () => ({ snapshot: "screen", cols: 80, rows: 24, offset: log.end }),
  };
  const deliver = (frame: OutputFrame) => {
    if (wish.fail === true) throw new Error("a broken listener");
    frames.push(frame);
  };
  const listener = new FlowControlledSubscription(source, { from: wish.from, window: wish.window, deliver });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { log, frames, listener, source, settled };
}

function text(frames: readonly OutputFrame[]): string {
  return frames.map((frame) => (frame.kind === "output" ? frame.bytes.toString() : "")).join("");
}
