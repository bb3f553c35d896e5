import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { localDate, type UsageRow } from "../../../../../core/protocol/usage.ts";
import type { RelayDesk } from "../../../../../main/desktop/sessions/relay-for-desktop.ts";
import { startOf, UsageWatch } from "../../../../../main/desktop/sessions/usage-watch.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: new Date(2026, 2, 14, 23, 59) });
});
afterEach(() => {
  vi.useRealTimers();
});

const row = { agentType: "claude", model: "m", sessionId: "a", calls: 1, input: 1, output: 1, cached: 0 };

test("sums are made at most once a second, and begin anew at midnight", async () => {
  const rows: UsageRow[] = [{ ...row, from: new Date().toISOString(), cost: 4.2 }];
  const relay: Pick<RelayDesk, "usageHistory"> = {
    usageHistory: (since) => rows.filter(({ from }) => new Date(from) >= since),
  };
  let sums = 0;
  const watch = new UsageWatch({
    relay: relay as RelayDesk,
    sessions: () => [],
    changed: () => {
      sums += 1;
    },
    log: () => undefined,
  });
  for (let report = 0; report < 100; report++) watch.look();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(watch.today()).toBe(4.2);
  expect(watch.byHour()).toEqual([...Array.from({ length: 23 }, () => 0), 4.2]);
  expect(sums).toBe(1);
  await vi.advanceTimersByTimeAsync(61_000);
  expect(watch.today()).toBe(0);
  expect(watch.byHour()).toEqual([0]);
  expect(sums).toBe(2);
  watch[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
});

test("spans begin at local midnight, today included", () => {
  const now = new Date(2026, 2, 1, 15, 30);
  expect(startOf(1, now)).toEqual(new Date(2026, 2, 1));
  expect(startOf(7, now)).toEqual(new Date(2026, 1, 23));
  expect(localDate(now)).toBe("2026-03-01");
});
