import { expect, test, vi } from "vitest";
import { RemoteError } from "../../../../../core/protocol/errors.ts";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import { Lifetime } from "../../../../../core/protocol/lifetime.ts";
import type { Writer } from "../../../../../main/relay/access/permits/caller.ts";
import { Leases } from "../../../../../main/relay/sends/leases.ts";

const SHELL = 1 as ShellId;
const writer = (name: string, lifetime?: Lifetime): Writer => ({ account: name, name, isAutomated: true, lifetime });
const held = expect.objectContaining({ code: "lease_held" });

test("one writer at a time holds a lease; it extends it, gives it up, or hands it over", () => {
  const shown = vi.fn();
  using leases = new Leases(shown);
  const first = leases.take(SHELL, writer("one"), 60);
  expect(() => leases.take(SHELL, writer("two"), 60)).toThrow(held);
  expect(() => leases.release(SHELL, writer("two"))).toThrow(held);
  expect(leases.take(SHELL, writer("one"), 120).since).toBe(first.since);
  expect(leases.against(SHELL, "one")).toBeUndefined();
  expect(leases.against(SHELL, "two")).toMatchObject({ holder: "one" });
  leases.handOver(SHELL, writer("one"), { to: writer("two"), seconds: 60 });
  expect(leases.of(SHELL)).toMatchObject({ holder: "two" });
  expect(() => leases.handOver(SHELL, writer("one"), { to: writer("one"), seconds: 60 })).toThrow(held);
  expect(leases.release(SHELL, writer("two"))).toBe(true);
  expect(leases.release(SHELL, writer("two"))).toBe(false);
  expect(shown.mock.calls.map(([, lease]) => lease?.holder)).toEqual(["one", "one", "two", undefined]);
});

test("a lease ends with its time, and with its holder's credential", () => {
  vi.useFakeTimers();
  try {
    using leases = new Leases(() => undefined);
    leases.take(SHELL, writer("one"), 60);
    vi.advanceTimersByTime(59_000);
    leases.take(SHELL, writer("one"), 60);
    vi.advanceTimersByTime(59_000);
    expect(leases.of(SHELL)).toBeDefined();
    vi.advanceTimersByTime(2_000);
    expect(leases.of(SHELL)).toBeUndefined();
    const lifetime = new Lifetime();
    leases.take(SHELL, writer("one", lifetime), 60);
    lifetime.end(new RemoteError("unauthenticated", "revoked"));
    expect(leases.of(SHELL)).toBeUndefined();
    leases.take(SHELL, writer("one", lifetime), 60);
    expect(leases.of(SHELL)).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

test("the end of an earlier holder's credential does not end the lease of the next", () => {
  using leases = new Leases(() => undefined);
  const [first, second] = [new Lifetime(), new Lifetime()];
  const revoked = new RemoteError("unauthenticated", "revoked");
  leases.take(SHELL, writer("one", first), 60);
  leases.handOver(SHELL, writer("one", first), { to: writer("two", second), seconds: 60 });
  first.end(revoked);
  expect(leases.of(SHELL)).toMatchObject({ holder: "two" });
  second.end(revoked);
  expect(leases.of(SHELL)).toBeUndefined();
});
