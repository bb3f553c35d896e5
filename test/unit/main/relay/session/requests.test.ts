import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Requests } from "../../../../../main/relay/session/requests.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function lab() {
  const told: unknown[] = [];
  const requests = new Requests<{ id: number; expiresAt: string }, string, "allowed">({
    unknown: (id) => `No request ${id}.`,
    opened: ({ id }) => told.push(["opened", id]),
    closed: ({ id }, outcome) => told.push([outcome, id]),
  });
  const ask = (asker: string, withinMs?: number) =>
    requests.open(asker, (id, expiresAt) => ({ id, expiresAt }), withinMs).id;
  return { requests, told, ask };
}

test("a request is closed once: by its answer, or when its time is over", () => {
  const { requests, told, ask } = lab();
  const [first, second] = [ask("ann", 1000), ask("bob", 1000)];
  expect(requests.get(first)).toMatchObject({ asker: "ann", request: { id: first } });
  requests.close(first, "allowed");
  requests.close(first, "allowed");
  vi.advanceTimersByTime(1000);
  expect(told.slice(2)).toEqual([
    ["allowed", first],
    ["expired", second],
  ]);
  expect(() => requests.get(second)).toThrow(expect.objectContaining({ code: "unknown_request" }));
});

test("a request without a time waits, is found by its asker, and keeps no timer when all end", () => {
  const { requests, told, ask } = lab();
  const id = ask("ann");
  ask("bob", 1000);
  vi.advanceTimersByTime(999);
  expect(requests.find(({ asker }) => asker === "ann")?.id).toBe(id);
  expect(requests.find(({ asker }) => asker === "eve")).toBeUndefined();
  requests[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
  expect(told).toHaveLength(2);
});
