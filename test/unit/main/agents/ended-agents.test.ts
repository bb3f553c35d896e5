import { expect, test } from "vitest";
import { SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import type { Accounts } from "../../../../main/agents/accounts.ts";
import type { AgentAdapter } from "../../../../main/agents/adapters/adapter.ts";
import { codexAdapter } from "../../../../main/agents/adapters/codex.ts";
import { EndedAgents } from "../../../../main/agents/ended-agents.ts";
import type { LiveAgent } from "../../../../main/agents/live-agent.ts";
import type { SessionAccount, TranscriptStatus } from "../../../../main/agents/session-account.ts";
import type { AgentRun, UsageStore } from "../../../../main/agents/usage-store.ts";

const session = SessionId.parse("session-one");
const at = "2026-11-26T03:00:00.000Z";
const start = Date.parse(at);
const run: AgentRun = {
  ...{ session, shellId: ShellId.parse(3), agentType: "codex", sessionId: "thread", home: "/home", cwd: "/work" },
  ...{ model: "gpt-5.5", startedAt: at, lastActivityAt: at },
};
const nothingRuns = { runsOn: () => false, mayRunOn: () => false };

/** `written`: there is a transcript; `works`: a daemon works on the session. */
function opened({ written = true, works = false, status = "idle" as TranscriptStatus["status"] } = {}) {
  const account = { status: { status, at, detail: "" }, lastAt: at, firstAt: at, model: "" } as SessionAccount;
  const now = { written, works, account, reads: 0, detached: 0, unread: new Set<string>() };
  const adapter: AgentAdapter = { ...codexAdapter(), worksOn: () => now.works };
  const ended = new EndedAgents({
    accounts: {
      async readToEnd() {
        now.reads += 1;
        return now.written ? { account, kept: true } : { account: undefined, kept: false };
      },
    } as unknown as Accounts,
    store: {
      unread: () => (now.unread.has("thread") ? [run] : []),
      allRuns: () => [],
      recordRun: ({ sessionId }) => void now.unread.add(sessionId),
      markRead: ({ sessionId }) => void now.unread.delete(sessionId),
    } as Partial<UsageStore> as UsageStore,
    adapters: [adapter],
    detached: {
      has: () => false,
      take: (_run, _adapter, read) => read?.status?.status === "working" && now.works && ++now.detached > 0,
    },
    log: () => undefined,
  });
  const agent = {
    ...{ session, shellId: run.shellId, kind: "codex", model: "", counts: true, ended: false, account: undefined },
    ...{ joined: { sessionId: "thread", home: "/home", cwd: "/work" }, found: { adapter, launchedAt: start } },
  } as unknown as LiveAgent;
  /** The relay looks again, so many seconds after the first time. */
  const look = (second: number) => ended.catchUp(start + second * 1000, [], nothingRuns);
  return { ended, agent, now, look };
}

test("what is written only after the end of its agent is read at a later look, and then no more", async () => {
  const { ended, agent, now, look } = opened({ written: false });
  await ended.finish(agent, start);
  expect([...now.unread]).toEqual(["thread"]);
  await look(0);
  now.written = true;
  await look(5);
  expect([...now.unread], "at most one look in 10 s").toEqual(["thread"]);
  await look(10);
  expect([...now.unread]).toEqual([]);
  await look(20);
  expect(now.reads).toBe(3);
});

test("a session whose transcript never comes is tried six times by one relay, and given up after a week", async () => {
  const { ended, agent, now, look } = opened({ written: false });
  await ended.finish(agent, start);
  for (let second = 0; second < 200; second += 10) await look(second);
  expect([now.reads, [...now.unread]]).toEqual([1 + 6, ["thread"]]);
  const next = opened({ written: false });
  next.now.unread.add("thread");
  await next.look(8 * 24 * 3600);
  expect([...next.now.unread]).toEqual([]);
});

test("a session that a daemon holds is looked at again: its turn may begin only after its terminal has ended", async () => {
  const { ended, agent, now, look } = opened({ works: true });
  await ended.finish(agent, start);
  expect([...now.unread]).toEqual(["thread"]);
  await look(0);
  expect(now.detached).toBe(0);
  now.account.status = { status: "working", at, detail: "" };
  await look(10);
  expect(now.detached).toBe(1);
});

test("a session that a daemon holds and never works on is read to its end at last", async () => {
  const { ended, agent, now, look } = opened({ works: true });
  await ended.finish(agent, start);
  for (let second = 0; second < 60; second += 10) await look(second);
  expect([...now.unread]).toEqual([]);
});

test("a session that its program has left in the middle of a turn is followed until the turn has ended", async () => {
  const { ended, agent, now, look } = opened({ status: "working" });
  await ended.leave(agent, { sessionId: "thread", home: "/home", cwd: "/work" }, start);
  expect(ended.leftAccounts(() => false)).toEqual([now.account]);
  await look(0);
  expect([now.reads, [...now.unread]]).toEqual([1, ["thread"]]);
  now.account.status = { status: "idle", at, detail: "turn ended" };
  expect(ended.leftAccounts(() => false)).toEqual([]);
  await look(10);
  expect([now.reads, [...now.unread]]).toEqual([2, []]);
});

test.each([
  ["its program has ended", { ended: true }, false],
  ["an agent works on it again", { ended: false }, true],
])("a left session whose turn seems to go on is not followed once %s", async (_what, { ended: isOver }, runs) => {
  const { ended, agent } = opened({ status: "working" });
  await ended.leave(agent, { sessionId: "thread", home: "/home", cwd: "/work" }, start);
  agent.ended = isOver;
  expect(ended.leftAccounts(() => runs)).toEqual([]);
});
