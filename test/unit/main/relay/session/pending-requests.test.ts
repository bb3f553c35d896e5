import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PendingRequests } from "../../../../../main/relay/session/pending-requests.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open(timeoutMs = 1000) {
  const pending = new PendingRequests("Client 7 (laptop)");
  let id = 0;
  const answer = pending.open(timeoutMs, (given) => {
    id = given;
  });
  answer.catch(() => undefined);
  return { pending, answer, id };
}

test("an answer settles it once; what comes later is dropped", async () => {
  const { pending, answer, id } = open();
  pending.resolve(id, { value: 1, hit: {} });
  pending.resolve(id, { value: 2, hit: {} });
  pending.failAll();
  expect(await answer).toEqual({ value: 1, hit: {} });
  expect(vi.getTimerCount()).toBe(0);
});

test("the deadline settles it and names the client", async () => {
  const { pending, answer, id } = open(1500);
  vi.advanceTimersByTime(1499);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1);
  pending.resolve(id, { value: "late", hit: {} });
  await expect(answer).rejects.toMatchObject({
    code: "no_answer",
    message: "Client 7 (laptop) did not answer within 1.5 s.",
  });
});

test("a client that leaves fails all that it was executing", async () => {
  const { pending, answer } = open();
  const other = pending.open(1000, () => undefined);
  pending.failAll();
  await expect(answer).rejects.toMatchObject({ code: "client_gone", message: expect.stringContaining("Client 7") });
  await expect(other).rejects.toMatchObject({ code: "client_gone" });
  expect(vi.getTimerCount()).toBe(0);
});

test("an id that nobody waits for is nobody's", () => {
  const { pending } = open();
  pending.resolve(99, { value: 1, hit: {} });
  expect(pending.remainingMs(99)).toBeUndefined();
});
