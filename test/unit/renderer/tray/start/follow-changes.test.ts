// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { CallRefused } from "../../../../../renderer/tray/start/call-relay.ts";
import { followChanges } from "../../../../../renderer/tray/start/follow-changes.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function following(changes: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>) {
  const opened = vi.fn(changes);
  const refused: string[] = [];
  const failed = vi.fn();
  const stop = followChanges({
    calls: { changes: opened },
    window,
    onBegin: () => undefined,
    onChange: () => undefined,
    onFailed: failed,
    onRefused: (why) => refused.push(why),
  });
  onTestFinished(stop);
  return { opened, refused, failed };
}

test("a relay that is away is tried again after pauses that grow to a minute, and at once when the network returns", async () => {
  vi.spyOn(Math, "random").mockReturnValue(1);
  const { opened, failed } = following(() => Promise.reject(new Error("away")));
  const pauses = [];
  for (let times = 1; times < 9; times += 1) {
    expect(opened).toHaveBeenCalledTimes(times);
    const from = Date.now();
    while (opened.mock.calls.length === times) await vi.advanceTimersByTimeAsync(500);
    pauses.push((Date.now() - from) / 1000);
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(0);
  expect(opened).toHaveBeenCalledTimes(10);
  expect(failed).toHaveBeenCalledTimes(10);
});

test("a refused key is told, and not tried again", async () => {
  const { opened, refused, failed } = following(() => Promise.reject(new CallRefused("This key was revoked.", 401)));
  await vi.advanceTimersByTimeAsync(600_000);
  expect(refused).toEqual(["This key was revoked."]);
  expect(opened).toHaveBeenCalledTimes(1);
  expect(failed).not.toHaveBeenCalled();
});
