import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { TokenUsage } from "../../../../../core/protocol/agent-records.ts";
import type { AgentAdapter } from "../../../../../main/agents/adapters/adapter.ts";
import { allAdapters } from "../../../../../main/agents/adapters/all.ts";
import { agentCost } from "../../../../../main/agents/agent-reports.ts";
import type { PricedCall } from "../../../../../main/agents/ledger.ts";
import { priceList } from "../../../../../main/agents/price-list.ts";
import { createPricing } from "../../../../../main/agents/pricing.ts";
import { type AccountSource, openAccount, readEvents } from "../../../../../main/agents/session-account.ts";
import { readDetails } from "../../../../../main/agents/session-details.ts";

const fixtures = join(import.meta.dirname, "../../../../fixtures/agents");
const Expected = z.object({
  sessions: z.record(
    z.string(),
    z.object({
      agentType: z.string(),
      model: z.string().nullable(),
      apiCalls: z.number(),
      tokenUsage: TokenUsage,
      /** Tokens of the context after the last request; null where that is not known. */
      context: z.number().nullable(),
      byModel: z.record(z.string(), z.object({ calls: z.number(), cost: z.number() })),
      reportedByAgent: z.number().nullish(),
      eventCounts: z.record(z.string(), z.number()),
      events: z.array(z.array(z.string())),
    }),
  ),
});
const { sessions } = Expected.parse(JSON.parse(readFileSync(join(fixtures, "EXPECTED.json"), "utf8")));

/** A tenth of a cent is asked for; the arithmetic gives far more. */
const DOLLARS = 9;

describe.each(Object.entries(sessions))("fixture session %s", (sessionId, expected) => {
  test("has the expected tokens and cost, in total and by model", async () => {
    const account = await openAccount(sourceOf(expected.agentType, sessionId));
    await account.update();
    const { cost, ...tokens } = account.usage();
    expect(tokens).toMatchObject(tokensOf(expected.tokenUsage));
    expect(cost).toBeCloseTo(expected.tokenUsage.cost, DOLLARS);
    expect(account.ledger.counted).toBe(expected.apiCalls);
    const byModel = account.ledger
      .byModel()
      .map(({ model, calls, usage }) => [model, { calls, cost: round(usage.cost) }]);
    expect(Object.fromEntries(byModel)).toEqual(
      Object.fromEntries(
        Object.entries(expected.byModel).map(([model, { calls, cost }]) => [model, { calls, cost: round(cost) }]),
      ),
    );
    if (expected.model !== null) expect(account.model).toBe(expected.model);
    expect(account.context?.used ?? null).toBe(expected.context);
    if (typeof expected.reportedByAgent === "number")
      expect(account.reported).toBeCloseTo(expected.reportedByAgent, DOLLARS);
  });

  test("counts nothing more when it is read again", async () => {
    const account = await openAccount(sourceOf(expected.agentType, sessionId));
    await account.update();
    expect(await account.update()).toBe(false);
    expect(account.ledger.counted).toBe(expected.apiCalls);
    const kept: PricedCall[] = [];
    account.ledger.flush((calls) => kept.push(...calls));
    const again = await openAccount(sourceOf(expected.agentType, sessionId), kept);
    await again.update();
    expect(again.usage()).toEqual(account.usage());
    again.ledger.flush(() => expect.unreachable("a call that was kept is not new"));
  });

  test("its details have the same sums, with every call in a turn or before the first one", async () => {
    const details = await readDetails(sourceOf(expected.agentType, sessionId));
    const { cost, ...tokens } = details.tokenUsage;
    expect(tokens).toMatchObject(tokensOf(expected.tokenUsage));
    expect(cost).toBeCloseTo(expected.tokenUsage.cost, DOLLARS);
    expect(details.turnCount).toBe(expected.eventCounts.user_message ?? 0);
    const sum = (rows: readonly { readonly calls: number }[]) => rows.reduce((total, { calls }) => total + calls, 0);
    expect(sum(details.turns)).toBe(expected.apiCalls);
    expect(sum(details.tools)).toBe(expected.eventCounts.tool_call ?? 0);
    expect(details.subagents.length).toBe(expected.eventCounts.subagent_prompt ?? 0);
  });

  test("has the expected events in order", async () => {
    const events = await readEvents(sourceOf(expected.agentType, sessionId), { limit: 10_000 });
    const told = events.map(({ type, text, data }) => {
      const what = type === "tool_result" ? String(data.id) : type === "thinking" ? "" : text.slice(0, 80);
      return data.subagent === true && type !== "subagent_prompt" ? [type, what, "sub"] : [type, what];
    });
    const silent = new Set(["interrupted", "compacted"]);
    expect(told.map((event) => (silent.has(event[0] ?? "") ? [event[0], ""] : event))).toEqual(expected.events);
    const counts: Record<string, number> = {};
    for (const { type } of events) counts[type] = (counts[type] ?? 0) + 1;
    expect(counts).toEqual(expected.eventCounts);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });
});

test("an explanation says how old the price list is, and how far the agent's own total is from the sum", () => {
  const key = { agentType: "claude", sessionId: "a" };
  const usage = { input: 1, output: 1, cached: 0, cost: 1.25 };
  const session = { ...key, files: 1, counted: 1, skipped: [], reported: 1.5 };
  const run = { ...key, shellId: 1, session: "s", home: "", cwd: "", model: "", startedAt: "", lastActivityAt: "" };
  const accounts = { report: () => ({ models: [], usage, session }) };
  const told = { since: "2026-11-26T10:00:00Z", calls: 1, input: 1, output: 1, cached: 0 };
  const cost = agentCost([{ run, status: "ended" }] as never, accounts as never, {
    prices: priceList,
    overrides: undefined,
    told: ({ sessionId }) => (sessionId === "a" ? told : undefined),
  });
  expect(cost.explain?.sessions).toMatchObject([{ reported: 1.5, difference: 0.25, told }]);
  const age = Date.now() - Date.parse(cost.explain?.prices.date ?? "");
  expect(cost.explain?.prices.ageDays).toBe(Math.floor(age / (24 * 3600 * 1000)));
});

test("details tell the branch, the mode, the time of tools and the sub-agents with what started them", async () => {
  const claude = await readDetails(sourceOf("claude", "33333333-3333-4333-8333-333333333333"));
  expect(claude).toMatchObject({ branch: "master", mode: "default", linesAdded: 0, linesRemoved: 0 });
  const [subagent, ...others] = claude.subagents;
  expect([subagent, others]).toMatchObject([
    { id: "a2463b6d2ab34a3cb", parent: null, type: "general-purpose", description: "Stub sub-agent", calls: 2 },
    [],
  ]);
  expect(subagent?.tokenUsage.cost).toBeGreaterThan(0);
  expect(subagent?.tokenUsage.cost).toBeLessThan(claude.tokenUsage.cost);
  expect(claude.tools.map(({ name }) => name).sort()).toEqual(["Agent", "Bash"]);
  for (const { ms, longestMs, calls } of [...claude.tools]) {
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThanOrEqual(longestMs * calls);
  }
  const codex = await readDetails(sourceOf("codex", "01a1fc09-2d3e-7271-bef2-7b260fa504e2"));
  expect(codex).toMatchObject({ effort: "medium", mode: expect.stringContaining("never, ") });
});

test("every fixture session is found, and nothing else", () => {
  // What a manifest alone describes has no sessions.
  const withHome = allAdapters().filter((adapter) => adapter.home(() => "/") !== undefined);
  const found = withHome.flatMap((adapter) => adapter.sessions(homeOf(adapter)));
  expect(found.sort()).toEqual(Object.keys(sessions).sort());
});

function sourceOf(kind: string, sessionId: string): AccountSource {
  const adapter = allAdapters().find((one) => one.kind === kind);
  if (adapter === undefined) throw new Error(`no adapter for ${kind}`);
  const problem = ({ reason, path }: { reason: string; path: string }) => {
    throw new Error(`${reason}: ${path}`);
  };
  return { adapter, home: homeOf(adapter), sessionId, price: createPricing(() => []), log: { problem } };
}

function homeOf(adapter: AgentAdapter): string {
  const home = adapter.home((name) => (name === "HOME" ? join(fixtures, adapter.kind) : undefined));
  if (home === undefined) throw new Error("no home");
  return home;
}

function tokensOf({ input, output, cached }: TokenUsage) {
  return { input, output, cached };
}

function round(cost: number): number {
  return Math.round(cost * 1e9) / 1e9;
}
