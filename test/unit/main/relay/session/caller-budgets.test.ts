import { expect, test, vi } from "vitest";
import { CallerBudgets } from "../../../../../main/relay/session/caller-budgets.ts";

const refusal = expect.objectContaining({ code: "too_many_requests" });

/** Reads that last until they are told to end. */
function slowReads(budgets: CallerBudgets) {
  const running: { readonly caller: string; readonly end: () => void; readonly fail: () => void }[] = [];
  const read = (caller: string) =>
    budgets.read(
      caller,
      () =>
        new Promise<string>((resolve, reject) =>
          running.push({ caller, end: () => resolve("read"), fail: () => reject(new Error("failed")) }),
        ),
    );
  return { running, read };
}

test("reads of one caller take turns, in order, whatever becomes of those before; another caller's do not wait", async () => {
  const { running, read } = slowReads(new CallerBudgets(() => 0));
  const reads = ["a", "a", "a", "a", "b"].map((caller) => read(caller));
  await Promise.resolve();
  expect(running.map(({ caller }) => caller)).toEqual(["a", "a", "b"]);
  running[0]?.end();
  expect(await reads[0]).toBe("read");
  expect(running).toHaveLength(4);
  running[1]?.fail();
  await expect(reads[1]).rejects.toThrow("failed");
  expect(running).toHaveLength(5);
  for (const { end } of running) end();
  await Promise.allSettled(reads);
  expect(running).toHaveLength(5);
});

test("one caller has at most 64 reads and 64 waits, counted apart and until they end", async () => {
  const budgets = new CallerBudgets(() => 0);
  const { running, read } = slowReads(budgets);
  const reads = Array.from({ length: 64 }, () => read("a"));
  await expect(read("a")).rejects.toEqual(refusal);
  let end: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    end = resolve;
  });
  const waits = Array.from({ length: 64 }, () => budgets.wait("a", () => until));
  await expect(budgets.wait("a", () => until)).rejects.toEqual(refusal);
  expect(await budgets.wait("b", async () => "waited")).toBe("waited");
  end();
  await Promise.all(waits);
  expect(await budgets.wait("a", async () => "waited")).toBe("waited");
  for (let done = 0; done < 64; done += 1) {
    running[done]?.end();
    await reads[done];
  }
  const last = read("a");
  await Promise.resolve();
  running[64]?.end();
  expect(await last).toBe("read");
});

test("a stream counts once until it is closed, however often it is closed", () => {
  const budgets = new CallerBudgets(() => 0);
  const closes = Array.from({ length: 64 }, () => budgets.open("a", "stream"));
  expect(() => budgets.open("a", "stream")).toThrow(refusal);
  closes[0]?.();
  closes[0]?.();
  budgets.open("a", "stream");
  expect(() => budgets.open("a", "stream")).toThrow(refusal);
});

test("the place of a read that took long stays taken for twice as long, while others of the caller wait", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    let now = 0;
    const { running, read } = slowReads(new CallerBudgets(() => now));
    const reads = ["a", "a", "a", "a"].map((caller) => read(caller));
    await Promise.resolve();
    now = 100;
    running[0]?.end();
    expect(await reads[0]).toBe("read");
    await vi.advanceTimersByTimeAsync(199);
    expect(running).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(running).toHaveLength(3);
    // A read of minutes, as of a shell host that hangs, costs a second.
    now = 600_000;
    running[1]?.end();
    await vi.advanceTimersByTimeAsync(1000);
    expect(running).toHaveLength(4);
    for (const { end } of running) end();
    await Promise.all(reads);
  } finally {
    vi.useRealTimers();
  }
});
