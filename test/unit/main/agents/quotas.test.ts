import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { describeWindow, type ReportedWindow, windowName } from "../../../../core/protocol/quotas.ts";
import { codexAdapter } from "../../../../main/agents/adapters/codex.ts";
import { readClaudeHook } from "../../../../main/agents/hooks/claude-hooks.ts";
import { Ledger } from "../../../../main/agents/ledger.ts";
import { Quotas } from "../../../../main/agents/quotas.ts";
import { SessionAccount } from "../../../../main/agents/session-account.ts";
import { TranscriptReader } from "../../../../main/agents/transcript-reader.ts";
import type { StoredWindow } from "../../../../main/agents/usage-store.ts";
import { temporaryFolder } from "../relay/temporary-folder.ts";

const account = { agentType: "codex", home: "/home/user/.codex" };
const HOUR = 3_600_000;
const noon = Date.parse("2026-03-14T12:00:00.000Z");

function open(stored: StoredWindow[] = []) {
  const quotas = new Quotas({
    store: {
      windows: () => stored,
      putWindow: (window) => {
        const others = stored.filter(({ home, minutes }) => home !== window.home || minutes !== window.minutes);
        stored.splice(0, stored.length, ...others, window);
      },
    },
    log: () => undefined,
  });
  const report = (usedPercent: number, resetsAt: number | undefined, at: number, more: Partial<ReportedWindow> = {}) =>
    quotas.report(account, [{ minutes: 300, usedPercent, resetsAt, ...more }], at);
  const used = (now: number) => quotas.of(account, now).map(({ usedPercent }) => usedPercent);
  return { quotas, report, used, stored };
}

test("a window that has passed its reset is not shown as still full", () => {
  const { quotas, report, used } = open();
  report(97, noon + HOUR, noon);
  expect(quotas.of(account, noon + HOUR - 1)).toEqual([
    {
      window: "5h",
      minutes: 300,
      usedPercent: 97,
      resetsAt: "2026-03-14T13:00:00.000Z",
      at: "2026-03-14T12:00:00.000Z",
    },
  ]);
  expect(quotas.of(account, noon + HOUR)).toMatchObject([{ usedPercent: 0, resetsAt: null }]);
  report(3, noon + 6 * HOUR, noon + 2 * HOUR);
  expect(used(noon + 2 * HOUR)).toEqual([3]);
});

test("a window without the time of its reset ends after its length", () => {
  const { report, used } = open();
  report(97, undefined, noon);
  expect([...used(noon + 4 * HOUR), ...used(noon + 5 * HOUR)]).toEqual([97, 0]);
});

test("an idle agent that repeats an old share changes nothing, whether of this window or of one before", () => {
  const { report, used } = open();
  report(40, noon + HOUR, noon);
  report(92, noon + HOUR + 1000, noon + 1);
  report(40, noon + HOUR, noon + 2);
  expect(used(noon + 3)).toEqual([92]);
  report(5, noon + 6 * HOUR, noon + 2 * HOUR);
  report(92, noon + HOUR, noon + 3 * HOUR);
  expect(used(noon + 3 * HOUR)).toEqual([5]);
});

test("no report lowers a share before its reset, or moves the reset: the higher of two windows counts", () => {
  const { report, used, quotas } = open();
  report(92, noon + 4 * HOUR, noon);
  report(10, noon + 2 * HOUR, noon + 1);
  report(1, undefined, noon + 2);
  expect(used(noon + 3)).toEqual([92]);
  expect(quotas.of(account, noon + 3)).toMatchObject([{ resetsAt: new Date(noon + 4 * HOUR).toISOString() }]);
  // Another account in the same folder, or a lie: it counts while it is the higher, and no longer.
  report(97, noon + 2 * HOUR, noon + 4);
  expect([...used(noon + 5), ...used(noon + 2 * HOUR), ...used(noon + 4 * HOUR + 1)]).toEqual([97, 92, 1]);
  report(3, noon + 6 * HOUR, noon + 4 * HOUR + 2);
  expect(used(noon + 4 * HOUR + 3)).toEqual([3]);
});

test("any number of lower reports pushes out no higher one, and none lasts longer than a window", () => {
  const { report, used } = open();
  report(60, noon + 4 * HOUR, noon);
  for (let minute = 1; minute < 200; minute += 3) report(1, noon + minute * 60_000 + HOUR, noon + minute);
  expect(used(noon + 300)).toEqual([60]);
  report(100, noon + 1000 * HOUR, noon + 400);
  expect([...used(noon + 5 * HOUR), ...used(noon + 6 * HOUR)]).toEqual([100, 0]);
});

test("the window that counts is kept over a restart, whatever was reported after it", () => {
  const { report, stored } = open();
  report(60, noon + 4 * HOUR, noon);
  report(1, noon + HOUR, noon + 1);
  expect(open(stored).used(noon + 2)).toEqual([60]);
});

test("an old transcript that is read again does not bring its window back over a restart", () => {
  const { report, stored } = open();
  report(40, noon + 25 * HOUR, noon + 24 * HOUR);
  report(95, noon + HOUR, noon);
  expect(open(stored).used(noon + 24 * HOUR)).toEqual([40]);
});

test("windows are kept over a restart, and by folder", () => {
  const { report, stored } = open();
  report(40, noon + HOUR, noon);
  const { quotas, used } = open(stored);
  expect(used(noon)).toEqual([40]);
  quotas.report({ ...account, home: "/home/other" }, [{ minutes: 10_079, usedPercent: 7, resetsAt: undefined }], noon);
  expect(quotas.list(noon).map(({ account: home, window }) => [home, window])).toEqual([
    ["/home/other", "week"],
    ["/home/user/.codex", "5h"],
  ]);
});

test("windows are named by their length", () => {
  expect([300, 1440, 10_080, 43_200, 90].map(windowName)).toEqual(["5h", "1d", "week", "30d", "90m"]);
  expect(describeWindow({ minutes: 300 })).toBe("5-hour window");
  expect(describeWindow({ minutes: 10_080, limit: "spark" })).toBe("weekly window of spark");
});

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder[Symbol.dispose]());

/** The account of a Codex transcript with these records, and the windows that it reports. */
function codexAccount(...payloads: object[]) {
  const main = join(folder.path, "rollout.jsonl");
  const lines = payloads.map((payload) => ({ timestamp: "2026-03-14T12:00:00.000Z", type: "event_msg", payload }));
  writeFileSync(main, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const adapter = { ...codexAdapter(), files: () => ({ main, subagents: [] }) };
  const reports: unknown[] = [];
  const price = () => ({ cost: 0, basis: "listed" as const });
  const reader = new TranscriptReader(adapter, folder.path, "thread", "usage", { problem: () => undefined });
  const one = new SessionAccount(new Ledger("openai", price, new Set(), []), reader);
  one.onWindows = (windows) => reports.push(...windows);
  return { one, reports };
}

const info = {
  total_token_usage: { total_tokens: 9000 },
  last_token_usage: { input_tokens: 3000, output_tokens: 90, total_tokens: 3090 },
  model_context_window: 258_400,
};

test("codex reports its windows with a time or with seconds, those of other limits by their name, and its context", async () => {
  const { one, reports } = codexAccount(
    {
      type: "token_count",
      info,
      rate_limits: {
        limit_id: "codex",
        primary: { used_percent: 42.5, window_minutes: 300, resets_at: noon / 1000 + 60 },
        secondary: { used_percent: 7, window_minutes: 10_080, resets_in_seconds: 120 },
      },
    },
    {
      type: "token_count",
      info: null,
      rate_limits: { limit_id: "codex_x", limit_name: "X", primary: { used_percent: 1, window_minutes: 300 } },
    },
  );
  await one.update();
  expect(reports).toEqual([
    { minutes: 300, usedPercent: 42.5, resetsAt: noon + 60_000 },
    { minutes: 10_080, usedPercent: 7, resetsAt: noon + 120_000 },
    { minutes: 300, usedPercent: 1, resetsAt: undefined, limit: "X" },
  ]);
  expect([one.context, one.hasWindows]).toEqual([{ used: 3090, size: 258_400 }, true]);
});

test("a codex with an API key says that it has no windows; wrong figures are left out", async () => {
  const none = codexAccount({ type: "token_count", info, rate_limits: { limit_id: "codex", primary: null } });
  await none.one.update();
  expect([none.reports, none.one.hasWindows]).toEqual([[], false]);
  const wrong = codexAccount(
    { type: "token_count", info, rate_limits: { primary: { used_percent: -1, window_minutes: 300 } } },
    { type: "token_count", info, rate_limits: { primary: { used_percent: 5, window_minutes: 300, resets_at: 1e300 } } },
    { type: "token_count", info, rate_limits: "many" },
  );
  await wrong.one.update();
  expect(wrong.reports).toEqual([]);
});

test("Claude Code's status line tells its windows and the size of its context, and before an answer nothing of windows", () => {
  const status = (more: object) =>
    readClaudeHook({ hook_event_name: "StatusLine", status: { session_id: "a-1", ...more } });
  const context = { context_window_size: 200_000, total_input_tokens: 0, used_percentage: null };
  expect(status({ context_window: context })).toMatchObject({ contextSize: 200_000, windows: undefined });
  const answered = { ...context, total_input_tokens: 3000 };
  expect(status({ context_window: answered })).toMatchObject({ windows: [] });
  const limits = {
    five_hour: { used_percentage: 23.5, resets_at: noon / 1000 },
    seven_day: { used_percentage: 41, resets_at: noon / 1000 },
  };
  expect(status({ context_window: answered, rate_limits: limits })).toEqual({
    kind: "limits",
    agentSessionId: "a-1",
    contextSize: 200_000,
    windows: [
      { minutes: 300, usedPercent: 23.5, resetsAt: noon },
      { minutes: 10_080, usedPercent: 41, resetsAt: noon },
    ],
  });
  expect(status({ rate_limits: { five_hour: { used_percentage: "x", resets_at: 1e300 } } })).toMatchObject({
    windows: undefined,
  });
});
