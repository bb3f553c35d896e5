import { afterEach, expect, test, vi } from "vitest";
import { Idempotency } from "../../../../../main/relay/commands/idempotency.ts";

afterEach(() => {
  vi.useRealTimers();
});

function lab() {
  const requests = new Idempotency<string>({
    begin: () => undefined,
    finish: () => undefined,
    remove: () => undefined,
    list: () => [],
  });
  const run = vi.fn(async () => `answer ${run.mock.calls.length}`);
  const once = (key: string, body: unknown = {}, owner = "ann", counts = true) =>
    requests.once({ owner, key, body, run, counts: () => counts });
  return { run, once };
}

test("one key runs once, and tells replays", async () => {
  const { run, once } = lab();
  expect(await Promise.all([once("a"), once("a")])).toEqual([
    { answer: "answer 1", replayed: false },
    { answer: "answer 1", replayed: true },
  ]);
  expect(await once("b")).toEqual({ answer: "answer 2", replayed: false });
  expect(run).toHaveBeenCalledTimes(2);
});

test("another body is a conflict, another caller is not", async () => {
  const { once } = lab();
  await once("a", { x: 1 });
  await expect(once("a", { x: 2 })).rejects.toMatchObject({ code: "idempotency_conflict" });
  expect(await once("a", { x: 2 }, "bob")).toMatchObject({ replayed: false });
});

test("what executed nothing, or broke, may be tried again", async () => {
  const { run, once } = lab();
  expect(await once("a", {}, "ann", false)).toMatchObject({ answer: "answer 1" });
  run.mockRejectedValueOnce(new Error("broken"));
  await expect(once("a")).rejects.toThrow("broken");
  expect(await once("a")).toMatchObject({ replayed: false });
  expect(await once("a")).toMatchObject({ replayed: true });
});

test("after 10 minutes a key is free again", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: 0 });
  const { once } = lab();
  await once("a");
  vi.advanceTimersByTime(599_999);
  expect(await once("a")).toMatchObject({ replayed: true });
  vi.advanceTimersByTime(2);
  expect(await once("a", { other: "body" })).toMatchObject({ replayed: false });
});

test("a wall clock that is set forward or back changes nothing", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000_000 });
  const { once } = lab();
  await once("a");
  vi.setSystemTime(9_000_000_000);
  expect(await once("a")).toMatchObject({ replayed: true });
  vi.setSystemTime(0);
  expect(await once("a")).toMatchObject({ replayed: true });
});
