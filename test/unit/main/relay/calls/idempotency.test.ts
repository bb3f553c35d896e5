import { afterEach, expect, test, vi } from "vitest";
import { Idempotency } from "../../../../../main/relay/calls/idempotency.ts";

afterEach(() => {
  vi.useRealTimers();
});

function lab() {
  const requests = new Idempotency<string>({
    begin: () => undefined,
    finish: (_id, answer) => answer.length,
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

test("the same body with its keys in another order is the same request", async () => {
  const { run, once } = lab();
  await once("a", { method: "sendChat", params: { message: "hi", tags: [{ x: 1, y: 2 }] } });
  const again = await once("a", { params: { tags: [{ y: 2, x: 1 }], message: "hi" }, method: "sendChat" });
  expect(again).toMatchObject({ replayed: true });
  expect(run).toHaveBeenCalledTimes(1);
  await expect(once("b", [1, 2]).then(() => once("b", [2, 1]))).rejects.toMatchObject({ code: "idempotency_conflict" });
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

test("a caller with requests without end costs no other caller the answer of one", async () => {
  const { run, once } = lab();
  await once("first");
  for (let made = 0; made < 10_050; made++) await once(`flood ${made}`, {}, "eve");
  expect(await once("first")).toEqual({ answer: "answer 1", replayed: true });
  expect(await once("flood 100", {}, "eve")).toMatchObject({ replayed: true });
  expect(await once("flood 0", {}, "eve")).toMatchObject({ replayed: false });
  expect(run).toHaveBeenCalledTimes(10_052);
});

test("the answers of a caller are kept up to 32 MiB, and nothing whose answer is gone is executed again", async () => {
  const { run, once } = lab();
  await once("small", {}, "bob");
  const large = "x".repeat(4 * 1024 * 1024);
  run.mockResolvedValue(large);
  for (let made = 0; made < 9; made++) await once(`large ${made}`);
  await expect(once("large 0")).rejects.toMatchObject({ code: "idempotency_unknown" });
  expect(await once("large 1")).toEqual({ answer: large, replayed: true });
  expect(await once("small", {}, "bob")).toMatchObject({ replayed: true });
  expect(run).toHaveBeenCalledTimes(10);
});
