import type { Attributes, Span } from "@opentelemetry/api";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Agent, type AgentStatus } from "../../../../../core/protocol/agent-records.ts";
import { AgentTurns } from "../../../../../main/relay/telemetry/agent-turns.ts";

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-11-26T10:00:00Z") }));
afterEach(() => void vi.useRealTimers());

/** Follows one agent; what it has used, in tokens of each kind, is cached too. */
function follow() {
  const spans: { name: string; startedAt: Date; attributes: Attributes; endedAt: unknown }[] = [];
  const ended: unknown[] = [];
  const turns = new AgentTurns({
    begin(name, startedAt) {
      const span = { name, startedAt, attributes: {} as Attributes, endedAt: undefined as unknown };
      spans.push(span);
      return {
        setAttributes: (more: Attributes) => Object.assign(span.attributes, more),
        end: (at: unknown) => {
          span.endedAt = at;
        },
      } as unknown as Span;
    },
    ended: (turn) => ended.push(turn),
  });
  const agent = (state: AgentStatus, used: number, given: Partial<Agent> = {}) =>
    Agent.parse({
      ...{ shellId: 3, agentType: "claude", model: "claude-x", sessionId: "c1", state },
      since: new Date().toISOString(),
      tokenUsage: { input: used, output: used * 2, cached: used * 10, cost: used / 100 },
      ...given,
    });
  return {
    spans,
    ended,
    turns,
    is: (...[state, used, given]: Parameters<typeof agent>) =>
      turns.take("s", { type: "agent.updated", data: agent(state, used, given) }),
    ends: (used: number) => turns.take("s", { type: "agent.ended", data: agent("ended", used) }),
  };
}

test("a turn ends with what it has used, waiting included, and what its transcript tells shortly after", () => {
  const one = follow();
  one.is("idle", 100);
  one.is("working", 100);
  vi.advanceTimersByTime(5_000);
  one.is("waiting", 101);
  vi.advanceTimersByTime(5_000);
  one.is("idle", 102);
  one.is("idle", 105);
  expect(one.ended).toEqual([]);
  vi.advanceTimersByTime(2_000);
  expect(one.spans).toEqual([
    {
      name: "invoke_agent claude",
      startedAt: new Date("2026-11-26T10:00:00Z"),
      endedAt: new Date("2026-11-26T10:00:10Z"),
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "anthropic",
        "gen_ai.request.model": "claude-x",
        "gen_ai.agent.name": "claude",
        "gen_ai.conversation.id": "c1",
        "gen_ai.usage.input_tokens": 55,
        "gen_ai.usage.cache_read.input_tokens": 50,
        "gen_ai.usage.output_tokens": 10,
        "patchbay.cost_usd": expect.closeTo(0.05),
        "patchbay.shell.id": 3,
      },
    },
  ]);
  expect(one.ended).toMatchObject([{ seconds: 10, input: 55, output: 10 }]);
});

test("the next turn, the agent's end and the relay's end close the one before", () => {
  const one = follow();
  one.is("working", 0);
  one.is("idle", 1);
  one.is("working", 1);
  one.ends(3);
  one.is("working", 3, { sessionId: "c2" });
  one.turns[Symbol.dispose]();
  expect(one.ended).toMatchObject([{ input: 11 }, { input: 22 }, { input: 0 }]);
  expect(one.spans.every(({ endedAt }) => endedAt instanceof Date)).toBe(true);
});

test("a failed turn has an error type, and a kind without a known provider its own name", () => {
  const one = follow();
  one.is("working", 0, { agentType: "pi", model: "" });
  one.is("error", 1, { agentType: "pi", model: "" });
  vi.runAllTimers();
  expect(one.spans[0]?.attributes).toMatchObject({ "error.type": "agent_error", "gen_ai.provider.name": "pi" });
  expect(one.spans[0]?.attributes).not.toHaveProperty("gen_ai.request.model");
});

test("an agent whose session is not known yet has no turn", () => {
  const one = follow();
  one.is("working", 0, { sessionId: "" });
  one.turns[Symbol.dispose]();
  expect(one.spans).toEqual([]);
});
