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

test("a person ends and hands over the lease of any program; without one there is nothing to hand over", () => {
  using leases = new Leases(() => undefined);
  const person: Writer = { ...writer("ann"), isAutomated: false };
  leases.take(SHELL, writer("one"), 60);
  leases.handOver(SHELL, person, { to: writer("two"), seconds: 60 });
  expect(leases.of(SHELL)).toMatchObject({ holder: "two" });
  expect(leases.release(SHELL, person)).toBe(true);
  expect(leases.of(SHELL)).toBeUndefined();
  for (const by of [person, writer("two")]) {
    expect(() => leases.handOver(SHELL, by, { to: writer("one"), seconds: 60 })).toThrow(
      expect.objectContaining({ code: "invalid_request", message: expect.stringContaining("lease of shell 1") }),
    );
  }
  expect(leases.of(SHELL)).toBeUndefined();
});

test("a lease says who has it, since when and until when, and a refusal says so too", () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
  try {
    using leases = new Leases(() => undefined);
    const lease = { holder: "one", since: "2026-01-01T00:00:00.000Z", expiresAt: "2026-01-01T00:01:00.000Z" };
    expect(leases.take(SHELL, writer("one"), 60)).toEqual(lease);
    expect(() => leases.take(SHELL, writer("two"), 60)).toThrow(
      "one has the writer lease of shell 1 until 2026-01-01T00:01:00.000Z: wait for its end, or ask for it to be handed over.",
    );
    vi.advanceTimersByTime(10_000);
    const handed = { to: writer("two"), seconds: 2 };
    expect(leases.handOver(SHELL, writer("one"), handed)).toEqual({
      holder: "two",
      since: "2026-01-01T00:00:10.000Z",
      expiresAt: "2026-01-01T00:00:12.000Z",
    });
    vi.advanceTimersByTime(1999);
    expect(leases.of(SHELL)).toMatchObject({ holder: "two" });
    vi.advanceTimersByTime(1);
    expect(leases.of(SHELL)).toBeUndefined();
    expect(leases.against(SHELL, "one")).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

test("a lease that is over keeps no watch on its holder's credential", () => {
  vi.useFakeTimers();
  try {
    const watches = new Set<string>();
    const watched = (name: string): Writer => {
      const lifetime = new Lifetime();
      vi.spyOn(lifetime, "onEnd").mockImplementation(() => {
        watches.add(name);
        return () => watches.delete(name);
      });
      return writer(name, lifetime);
    };
    const shown = vi.fn();
    const leases = new Leases(shown);
    const other = 2 as ShellId;
    leases.take(SHELL, watched("one"), 60);
    leases.take(other, watched("other"), 60);
    leases.handOver(SHELL, writer("one"), { to: watched("two"), seconds: 60 });
    expect([...watches]).toEqual(["other", "two"]);
    leases.end(SHELL);
    expect([...watches]).toEqual(["other"]);
    expect(leases.of(other)).toMatchObject({ holder: "other" });
    shown.mockClear();
    leases[Symbol.dispose]();
    expect([...watches]).toEqual([]);
    expect(leases.of(other)).toBeUndefined();
    vi.advanceTimersByTime(120_000);
    expect(shown).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
