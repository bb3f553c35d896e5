import { expect, test } from "vitest";
import type { BudgetSetting } from "../../../../../core/protocol/budgets.ts";
import { SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import {
  alertOf,
  type Count,
  countsOf,
  holdingPart,
  type Spending,
  shellKey,
  spendingOf,
  useOf,
} from "../../../../../main/relay/budgets/spending.ts";

const [one, two] = [SessionId.parse("session-1"), SessionId.parse("session-2")];
const usage = { input: 1, output: 2, cached: 3, cost: 0.1 };
const agent = (session: SessionId, shell: number, sessionId: string) => ({
  ...usage,
  session,
  shellId: ShellId.parse(shell),
  agentType: "claude",
  sessionId,
});
const row = (sessionId: string, model: string, more: object = {}) => ({
  ...usage,
  from: "2026-03-14",
  agentType: "claude",
  sessionId,
  model,
  calls: 1,
  ...more,
});
const window = {
  agentType: "claude",
  account: "/home/one",
  window: "5h",
  minutes: 300,
  usedPercent: 92,
  resetsAt: "2026-03-14T12:00:00.000Z",
  at: "2026-03-14T10:00:00.000Z",
};
const spending: Spending = {
  day: "2026-03-14",
  agents: [agent(one, 1, "a"), agent(one, 1, "b"), agent(one, 2, "c"), agent(two, 1, "d")],
  today: [
    row("a", "opus-5"),
    row("a", "haiku-4"),
    row("c", "opus-4"),
    row("d", "opus-5", { cost: 0.2, approximate: true, approximateCost: 0.1 }),
  ],
  windows: [
    { ...window, agents: [agent(one, 1, "a"), agent(two, 1, "d")] },
    { ...window, account: "/home/other", usedPercent: 20, agents: [] },
    { ...window, window: "week", minutes: 10_080, usedPercent: 30, agents: [agent(one, 1, "a")] },
  ],
};

const budget = (scope: BudgetSetting["scope"], subject = "", unit: BudgetSetting["unit"] = "dollars") =>
  countsOf({ scope, subject, unit, limit: 1, atLimit: "hold" }, spending);
const sums = (...wanted: Parameters<typeof budget>) =>
  Object.fromEntries(budget(...wanted).map(({ of, spent }) => [of, spent]));

test("each scope counts what belongs together, without the dust of binary fractions", () => {
  expect(sums("agent")).toEqual({ a: 0.1, b: 0.1, c: 0.1, d: 0.1 });
  expect(sums("shell")).toEqual({ "session-1/1": 0.2, "session-1/2": 0.1, "session-2/1": 0.1 });
  expect(sums("session")).toEqual({ "session-1": 0.3, "session-2": 0.1 });
  expect(sums("day")).toEqual({ "2026-03-14": 0.5 });
  expect(sums("model")).toEqual({ "2026-03-14 opus-5": 0.3, "2026-03-14 haiku-4": 0.1, "2026-03-14 opus-4": 0.1 });
});

test("a subject leaves out the others; of a model its beginning is enough, and counts together", () => {
  expect(sums("agent", "b")).toEqual({ b: 0.1 });
  expect(sums("shell", "session-1/1")).toEqual({ "session-1/1": 0.2 });
  expect(sums("session", "session-2")).toEqual({ "session-2": 0.1 });
  expect(sums("model", "opus-*")).toEqual({ "2026-03-14 opus-*": 0.4 });
  expect(sums("model", "opus-4*")).toEqual({ "2026-03-14 opus-4*": 0.1 });
  expect(sums("model", "opus-5")).toEqual({ "2026-03-14 opus-5": 0.3 });
  expect(sums("model", "opus")).toEqual({});
});

test("a count knows its agents, counts all tokens, and knows what of it is not certain", () => {
  expect(budget("day").map(({ agents }) => agents.map(({ sessionId }) => sessionId))).toEqual([["a", "c", "d"]]);
  const parts = ({ spent, approximate, unpriced }: Count) => [spent, approximate, unpriced];
  expect(budget("day").map(parts)).toEqual([[0.5, 0.1, false]]);
  expect(budget("session").map(parts)).toEqual([
    [0.3, 0, false],
    [0.1, 0, false],
  ]);
  expect(budget("day", "", "tokens").map(parts)).toEqual([[24, 0, false]]);
  const today = [row("a", "m", { unpriced: true, cost: 0 }), row("b", "m", { approximate: true }), row("c", "m")];
  const day = { scope: "day", subject: "", unit: "dollars", limit: 1, atLimit: "hold" } as const;
  expect(countsOf(day, { ...spending, today }).map(parts)).toEqual([[0.2, 0.1, true]]);
});

test("each window of each account is a count of its own, with the agents of the account", () => {
  const percent = (subject: string) => sums("window", subject, "percent");
  const every = { "claude 5h /home/one": 92, "claude 5h /home/other": 20, "claude week /home/one": 30 };
  expect(percent("")).toEqual(every);
  expect(percent("5h")).toEqual({ "claude 5h /home/one": 92, "claude 5h /home/other": 20 });
  expect(percent("claude week")).toEqual({ "claude week /home/one": 30 });
  expect(percent("codex week")).toEqual({});
  expect(budget("window", "5h", "percent")[0]?.agents.map(({ sessionId }) => sessionId)).toEqual(["a", "d"]);
});

test("what an agent's tools have started counts for the agent, and by its own name", () => {
  const startedBy = (sessionId: string) => ({ startedBy: { agentType: "claude", sessionId } });
  const agents = [
    agent(one, 1, "top"),
    { ...agent(one, 1, "child"), ...startedBy("top") },
    { ...agent(one, 1, "grandchild"), ...startedBy("child") },
    { ...agent(one, 1, "orphan"), ...startedBy("gone") },
    { ...agent(one, 1, "ring"), ...startedBy("ring") },
  ];
  const of = (subject: string) =>
    countsOf({ scope: "agent", subject, unit: "tokens", limit: 1, atLimit: "hold" }, { ...spending, agents }).map(
      ({ of, spent }) => [of, spent],
    );
  expect(of("")).toEqual([
    ["top", 18],
    ["orphan", 6],
    ["ring", 6],
  ]);
  expect([of("top"), of("child")]).toEqual([[["top", 18]], [["child", 6]]]);
});

test("a session of another kind of agent with the same id counts for itself", () => {
  const other = { ...agent(two, 9, "a"), agentType: "codex" };
  const agents = [agent(one, 1, "a"), other];
  const today = [row("a", "m"), row("a", "m", { agentType: "codex" }), row("gone", "m")];
  const day = { scope: "day", subject: "", unit: "tokens", limit: 1, atLimit: "hold" } as const;
  expect(countsOf(day, { ...spending, agents, today: today.slice(0, 1) })[0]?.agents).toEqual([agents[0]]);
  expect(countsOf(day, { ...spending, agents, today: today.slice(1, 2) })[0]?.agents).toEqual([other]);
  expect(countsOf(day, { ...spending, agents, today })).toMatchObject([{ spent: 18, agents }]);
  expect(countsOf(day, { ...spending, agents, today: today.slice(2) })).toMatchObject([{ spent: 6, agents: [] }]);
  expect(countsOf(day, { ...spending, today: [] })).toEqual([]);
  const child = { ...agent(one, 2, "b"), startedBy: { agentType: "codex", sessionId: "a" } };
  const each = { scope: "agent", subject: "", unit: "tokens", limit: 1, atLimit: "hold" } as const;
  const counts = countsOf(each, { ...spending, agents: [agents[0] ?? other, other, child] });
  expect(counts).toMatchObject([{ of: "a", spent: 18 }]);
  const apart = { ...other, startedBy: { agentType: "gemini", sessionId: "top" } };
  const top = agent(one, 3, "top");
  expect(countsOf(each, { ...spending, agents: [top, apart] }).map(({ of }) => of)).toEqual(["top", "a"]);
});

test("a window with a limit of its own is named by both, and its count has the window", () => {
  const limited = { ...window, limit: "opus", usedPercent: 7, agents: [] };
  const of = (subject: string) =>
    countsOf(
      { scope: "window", subject, unit: "percent", limit: 90, atLimit: "hold" },
      { ...spending, windows: [limited] },
    );
  const whole = {
    of: "claude 5h opus /home/one",
    spent: 7,
    approximate: 0,
    unpriced: false,
    agents: [],
    window: limited,
  };
  for (const subject of ["", "5h opus", "claude 5h opus"]) expect(of(subject)).toEqual([whole]);
  for (const subject of ["5h", "claude 5h", "opus", "5h opus /home/one"]) expect(of(subject)).toEqual([]);
});

test("only what is certain holds where the budget says so", () => {
  const count = { of: "x", spent: 0.3, approximate: 0.1, unpriced: true, agents: [] };
  const setting = { scope: "day", subject: "", unit: "dollars", limit: 1 } as const;
  expect(holdingPart({ ...setting, atLimit: "hold" }, count)).toBe(0.3);
  expect(holdingPart({ ...setting, atLimit: "warn" }, count)).toBe(0.3);
  expect(holdingPart({ ...setting, atLimit: "hold-certain" }, count)).toBe(0.2);
});

test("what callers see of a count: its limit as raised, its question while it holds, and what is not certain", () => {
  const count = { of: "x", spent: 2, approximate: 0, unpriced: false, agents: [] };
  const setting = { scope: "day", subject: "", unit: "dollars", limit: 1, atLimit: "hold" } as const;
  const known = { of: "x", percent: 100, raised: null, state: "held", session: one, question: 5 } as const;
  expect(useOf(setting, count, known)).toEqual({
    of: "x",
    spent: 2,
    limit: 1,
    state: "held",
    question: { session: one, id: 5 },
  });
  expect(useOf(setting, count, { ...known, raised: 4, state: "within" })).toEqual({
    of: "x",
    spent: 2,
    limit: 4,
    state: "within",
  });
  expect(useOf(setting, count, { ...known, question: null })).not.toHaveProperty("question");
  expect(useOf(setting, count, { ...known, session: null })).not.toHaveProperty("question");
  const doubtful = { ...count, approximate: 0.5 };
  expect(useOf(setting, doubtful, known)).toMatchObject({ uncertain: true, approximate: 0.5 });
  expect(useOf(setting, doubtful, known)).not.toHaveProperty("unpriced");
  expect(useOf(setting, { ...count, unpriced: true }, known)).toMatchObject({ uncertain: true, unpriced: true });
  expect(useOf(setting, { ...count, unpriced: true }, known)).not.toHaveProperty("approximate");
  expect(alertOf(setting, { ...count, unpriced: true }, { limit: 4, percent: 80 })).toEqual({
    scope: "day",
    subject: "",
    unit: "dollars",
    of: "x",
    spent: 2,
    uncertain: true,
    unpriced: true,
    limit: 4,
    percent: 80,
  });
  expect(alertOf(setting, count, { limit: 1, percent: 100 })).not.toHaveProperty("uncertain");
  expect(shellKey({ session: one, shellId: ShellId.parse(3) })).toBe("session-1/3");
});

test("spending is read of all sessions, of the local day, and of each account's windows with its own agents", () => {
  const now = new Date(2026, 2, 14, 23, 59, 30);
  const asked: Date[] = [];
  const limited = { ...agent(one, 1, "a"), account: "/home/one" };
  const port: Parameters<typeof spendingOf>[0] = {
    cost: (session) => ({
      agents: session === one ? [agent(one, 1, "a")] : [agent(two, 2, "d")],
      total: usage,
      byModel: [],
    }),
    usageHistory: (from, to, by) => {
      asked.push(from, to);
      expect(by).toBe("day");
      return [row("a", "m")];
    },
    windows: () => [window, { ...window, account: "/home/other" }, { ...window, agentType: "codex" }],
    limited: (session) => (session === one ? [limited] : []),
  };
  const { day, agents, today, windows } = spendingOf(port, [one, two], now);
  expect(day).toBe("2026-03-14");
  expect(agents.map(({ session, sessionId }) => [session, sessionId])).toEqual([
    [one, "a"],
    [two, "d"],
  ]);
  expect(today).toEqual([row("a", "m")]);
  expect(asked).toEqual([new Date(2026, 2, 14), new Date(2026, 2, 15, 0, 0, 30)]);
  expect(windows.map(({ agentType, account, agents }) => [agentType, account, agents.length])).toEqual([
    ["claude", "/home/one", 1],
    ["claude", "/home/other", 0],
    ["codex", "/home/one", 0],
  ]);
  expect(windows[0]?.agents).toEqual([{ ...limited, session: one }]);
});
