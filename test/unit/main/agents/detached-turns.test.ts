import { expect, test } from "vitest";
import { SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import { codexAdapter } from "../../../../main/agents/adapters/codex.ts";
import { DetachedTurns } from "../../../../main/agents/detached-turns.ts";
import { noUsage } from "../../../../main/agents/ledger.ts";
import type { SessionAccount, TranscriptStatus } from "../../../../main/agents/session-account.ts";
import type { AgentRun } from "../../../../main/agents/usage-store.ts";

const session = SessionId.parse("session-one");
const at = "2026-11-26T03:00:00.000Z";
const run: AgentRun = {
  ...{ session, shellId: ShellId.parse(3), agentType: "codex", sessionId: "thread", home: "/home", cwd: "/work" },
  ...{ model: "gpt-5.5", startedAt: at, lastActivityAt: at },
};

function opened({ works = true, status = "working" }: { works?: boolean; status?: TranscriptStatus["status"] } = {}) {
  const account = { status: { status, at, detail: "" }, lastAt: at } as SessionAccount;
  const now = { works, told: [] as string[], kept: [] as string[] };
  const adapter = { ...codexAdapter(), worksOn: () => now.works };
  const turns = new DetachedTurns({
    accounts: {
      get: () => account,
      report: () => ({ models: [], usage: noUsage, session: { ...run, files: 1, counted: 0, skipped: [] } }),
      readToEnd: async () => ({ account, kept: true }),
    },
    store: {
      recordRun: ({ sessionId }) => now.kept.push(`open ${sessionId}`),
      markRead: ({ sessionId }) => now.kept.push(`read ${sessionId}`),
    },
    clock: { now: () => Date.parse(at) },
    log: () => undefined,
    onChange: (_, { state, reason }) => now.told.push(`${state}: ${reason?.detail}`),
  });
  return { turns, adapter, account, now };
}

test("a turn that goes on is listed and told until its transcript shows its end", async () => {
  const { turns, adapter, account, now } = opened();
  expect(turns.take(run, adapter, account)).toBe(true);
  expect(turns.runs(session)).toEqual([{ run, status: "working", detached: true }]);
  expect(turns.runs(SessionId.parse("session-two"))).toEqual([]);
  expect(turns.accounts()).toEqual([account]);
  turns.updated(account);
  await turns.look();
  expect(turns.has(run)).toBe(true);
  account.status = { status: "idle", at, detail: "turn ended" };
  await turns.look();
  expect([turns.has(run), turns.runs()]).toEqual([false, []]);
  const goesOn = "working: its terminal has ended, and its turn goes on";
  expect(now.told).toEqual([goesOn, goesOn, "ended: its turn has ended"]);
  // Unread meanwhile, so that the next relay takes it over.
  expect(now.kept).toEqual(["open thread", "open thread", "read thread"]);
});

test("a turn whose daemon has ended is over, whatever its transcript says", async () => {
  const { turns, adapter, account, now } = opened();
  turns.take(run, adapter, account);
  now.works = false;
  await turns.look();
  expect(turns.has(run)).toBe(false);
});

test("a session between turns, without a daemon or with a terminal again has none", () => {
  const idle = opened({ status: "idle" });
  expect(idle.turns.take(run, idle.adapter, idle.account)).toBe(false);
  const alone = opened({ works: false });
  expect(alone.turns.take(run, alone.adapter, alone.account)).toBe(false);
  const { worksOn: _, ...without } = alone.adapter;
  expect(alone.turns.take(run, without, alone.account)).toBe(false);
  expect(alone.turns.take(run, alone.adapter, undefined)).toBe(false);
  const { turns, adapter, account, now } = opened();
  turns.take(run, adapter, account);
  turns.attached(run);
  expect([turns.has(run), now.told.length]).toEqual([false, 1]);
});
