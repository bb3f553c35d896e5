import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { RelayDesk, Spending, UsageRow } from "../../../../../main/desktop/sessions/relay-for-desktop.ts";
import { UsageWatch } from "../../../../../main/desktop/sessions/usage-watch.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: new Date(2026, 2, 14, 23, 59) });
});
afterEach(() => {
  vi.useRealTimers();
});

const row = { agentType: "claude", model: "m", sessionId: "a", calls: 1, input: 1, output: 1, cached: 0 };

test("sums are made at most once a second, checked against the budgets, and begin anew at midnight", async () => {
  const rows: UsageRow[] = [{ ...row, from: new Date().toISOString(), cost: 4.2 }];
  const checked: Spending[] = [];
  const relay: Pick<RelayDesk, "usageHistory" | "checkBudgets"> = {
    usageHistory: (since) => rows.filter(({ from }) => new Date(from) >= since),
    checkBudgets: (spendings) => {
      checked.push(...spendings);
      return [];
    },
  };
  const watch = new UsageWatch({
    relay: relay as RelayDesk,
    sessions: () => [],
    changed: () => undefined,
    alert: () => undefined,
    log: () => undefined,
  });
  for (let report = 0; report < 100; report++) watch.look();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(watch.today()).toBe(4.2);
  expect(checked).toEqual([{ scope: "day", subject: "2026-03-14", usd: 4.2 }]);
  await vi.advanceTimersByTimeAsync(61_000);
  expect(watch.today()).toBe(0);
  expect(checked.at(-1)).toEqual({ scope: "day", subject: "2026-03-15", usd: 0 });
  watch[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
});
