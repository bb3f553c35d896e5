import Database from "libsql";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import type { PricedCall } from "../../../../main/agents/ledger.ts";
import { agentMigrations, type UsageStore, usageStore } from "../../../../main/agents/usage-store.ts";

let database: Database.Database;
let store: UsageStore;
beforeEach(() => {
  database = new Database(":memory:");
  for (const sql of agentMigrations) database.exec(sql);
  store = usageStore(database);
});
afterEach(() => void database.close());

const key = { agentType: "claude", sessionId: "one" };
function call(id: string, at: string, output: number, more: Partial<PricedCall> = {}): PricedCall {
  return { id, model: "m", at, input: 10, output, cached: 5, cost: output / 1000, basis: "listed", ...more };
}

test("a call that is told again changes nothing, or counts with its larger output", () => {
  const calls = [call("a", "2026-11-21T02:10:00.000Z", 7), call("b", "2026-11-21T02:20:00.000Z", 3)];
  store.recordCalls(key, calls);
  store.recordCalls(key, calls);
  store.recordCalls(key, [call("a", "2026-11-21T02:10:00.000Z", 1)]);
  expect(store.sums(key)).toEqual([
    { model: "m", calls: 2, basis: "listed", usage: { input: 20, output: 10, cached: 10, cost: 0.01 } },
  ]);
  store.recordCalls(key, [call("a", "2026-11-21T02:10:00.000Z", 20)]);
  expect(store.sums(key)[0]?.usage.output).toBe(23);
  expect(store.calls(key)).toEqual([call("a", "2026-11-21T02:10:00.000Z", 20), calls[1]]);
});

test("the sums of a session are read again only after a new call of it", () => {
  const other = { ...key, sessionId: "two" };
  store.recordCalls(key, [call("a", "2026-11-21T02:10:00.000Z", 7)]);
  const before = store.sums(key);
  store.recordCalls(other, [call("a", "2026-11-21T02:10:00.000Z", 50)]);
  expect(store.sums(key)).toBe(before);
  expect(store.sums(other)[0]?.usage.output).toBe(50);
  store.recordCalls(key, [call("b", "2026-11-21T02:20:00.000Z", 3)]);
  expect(store.sums(key)[0]?.usage.output).toBe(10);
});

test("history is by hour or day, model and agent session, and says what is not priced", () => {
  store.recordCalls(key, [
    call("a", "2026-11-20T23:59:59.000Z", 1),
    call("b", "2026-11-21T02:10:00.000Z", 2),
    call("c", "2026-11-21T02:50:00.000Z", 3, { basis: "unpriced", cost: 0 }),
    call("d", "2026-11-21T02:55:00.000Z", 4, { model: "other", basis: "approximate", pricedAs: "sibling" }),
  ]);
  store.recordCalls({ ...key, sessionId: "two" }, [call("a", "2026-11-21T02:10:00.000Z", 50)]);
  const hours = store.history(new Date("2026-11-21T00:00:00Z"), new Date("2026-11-22T00:00:00Z"), "hour");
  expect(
    hours.map(({ from, sessionId, model, calls, output, unpriced, approximateCost }) => [
      from,
      sessionId,
      model,
      calls,
      output,
      unpriced,
      approximateCost,
    ]),
  ).toEqual([
    ["2026-11-21T02:00:00.000Z", "one", "m", 2, 5, true, undefined],
    ["2026-11-21T02:00:00.000Z", "one", "other", 1, 4, undefined, 0.004],
    ["2026-11-21T02:00:00.000Z", "two", "m", 1, 50, undefined, undefined],
  ]);
  const days = store.history(new Date("2026-11-01T00:00:00Z"), new Date("2026-12-01T00:00:00Z"), "day");
  expect(days.reduce((sum, { output }) => sum + output, 0)).toBe(60);
});

test("history is from its first moment on, up to its end and not including it", () => {
  const [from, until] = ["2026-11-21T00:00:00.000Z", "2026-11-21T03:00:00.000Z"];
  const before = "2026-11-20T23:59:59.999Z";
  const last = "2026-11-21T02:59:59.999Z";
  for (const at of [before, from, last, until]) store.recordCalls(key, [call(at, at, 1)]);
  const hours = store.history(new Date(from), new Date(until), "hour").map((row) => [row.from, row.calls]);
  expect(hours).toEqual([
    [from, 1],
    ["2026-11-21T02:00:00.000Z", 1],
  ]);
});

test("an hour is one of the local clock, also where that differs from UTC by half an hour", () => {
  const zone = process.env.TZ;
  process.env.TZ = "Asia/Kolkata";
  try {
    const midnight = new Date(2026, 10, 21);
    for (const minutes of [0, 29, 59, 60, 90]) {
      const at = new Date(midnight.getTime() + minutes * 60_000).toISOString();
      store.recordCalls(key, [call(at, at, 1)]);
    }
    const hours = store.history(midnight, new Date(2026, 10, 22), "hour").map((row) => [row.from, row.calls]);
    expect(hours).toEqual([
      [midnight.toISOString(), 3],
      [new Date(2026, 10, 21, 1).toISOString(), 2],
    ]);
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test("a run is kept with its first start and last activity", () => {
  const session = SessionId.parse("session-one");
  const run = { session, shellId: ShellId.parse(3), ...key, home: "/h", cwd: "/w", model: "" };
  store.recordRun({ ...run, startedAt: "2026-11-21T02:00:00.000Z", lastActivityAt: "2026-11-21T02:00:00.000Z" });
  store.recordRun({
    ...run,
    model: "m",
    startedAt: "2026-11-21T02:30:00.000Z",
    lastActivityAt: "2026-11-21T03:00:00.000Z",
  });
  expect(store.runs(session)).toEqual([
    { ...run, model: "m", startedAt: "2026-11-21T02:00:00.000Z", lastActivityAt: "2026-11-21T03:00:00.000Z" },
  ]);
  expect(store.runs(SessionId.parse("session-two"))).toEqual([]);
});

test("models without a price are listed by their calls, of recent ones only", () => {
  const unpriced = { basis: "unpriced", cost: 0 } as const;
  store.recordCalls(key, [
    call("a", "2026-09-01T00:00:00.000Z", 1, { ...unpriced, model: "old" }),
    call("b", "2026-11-21T02:10:00.000Z", 2, { ...unpriced, model: "rare" }),
    call("c", "2026-11-21T02:50:00.000Z", 3, { ...unpriced, model: "common" }),
    call("d", "2026-11-21T02:51:00.000Z", 3, { ...unpriced, model: "common" }),
    call("e", "2026-11-21T02:55:00.000Z", 4),
  ]);
  expect(store.unpriced(new Date("2026-11-01T00:00:00Z"))).toEqual([
    { model: "common", agentType: "claude", calls: 2 },
    { model: "rare", agentType: "claude", calls: 1 },
  ]);
});

test("a run keeps the agent session that started it, also when it is told again without it", () => {
  const session = SessionId.parse("session-1");
  const startedBy = { agentType: "codex", sessionId: "parent" };
  const times = { startedAt: "2026-11-21T02:00:00.000Z", lastActivityAt: "2026-11-21T03:00:00.000Z" };
  const run = { ...key, ...times, session, shellId: ShellId.parse(1), home: "/h", cwd: "/w", model: "m" };
  store.recordRun(run);
  expect(store.runs(session)).toEqual([run]);
  store.recordRun({ ...run, startedBy });
  store.recordRun(run);
  expect([store.runs(session), store.unread()]).toEqual([[{ ...run, startedBy }], [{ ...run, startedBy }]]);
});
