import { expect, test } from "vitest";
import type { Agent, AgentStatus } from "../../../../../core/protocol/agent-records.ts";
import type { RelayEvent } from "../../../../../core/protocol/events.ts";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import { noticeOfTurn } from "../../../../../main/desktop/notifications/agent-notices.ts";
import { AgentTurns } from "../../../../../main/desktop/notifications/agent-turns.ts";
import { shellRecord } from "../../relay/small-session.ts";

const NOON = Date.UTC(2026, 2, 14, 12);
const at = (seconds: number) => new Date(NOON + seconds * 1000).toISOString();
const agent = (state: AgentStatus, seconds: number, shell = 2): Agent => ({
  shellId: shell as ShellId,
  agentType: "codex",
  model: "gpt-5-codex",
  sessionId: "x",
  tokenUsage: { input: 0, output: 0, cached: 0, cost: 0 },
  state,
  since: at(seconds),
});
const told = (state: AgentStatus, seconds: number, shell?: number): RelayEvent => ({
  type: state === "waiting" ? "agent.waiting" : state === "ended" ? "agent.ended" : "agent.updated",
  data: agent(state, seconds, shell),
});

/** The seconds at which the turns began that these events ended. */
function ended(...events: readonly RelayEvent[]): number[] {
  const turns = new AgentTurns();
  return events.flatMap((event) => {
    const turn = turns.endedBy(event);
    return turn === undefined ? [] : [(turn.since - NOON) / 1000];
  });
}

test.each([
  { title: "ends with idling after work", events: [told("idle", 0), told("working", 5), told("idle", 65)], turns: [5] },
  {
    title: "goes on while the agent waits for its user",
    events: [told("working", 0), told("waiting", 4), told("working", 8), told("idle", 12)],
    turns: [0],
  },
  {
    title: "is not worth a word when it was over in a moment",
    events: [told("working", 0), told("idle", 9)],
    turns: [],
  },
  { title: "is told once", events: [told("working", 0), told("idle", 20), told("idle", 20)], turns: [0] },
  { title: "ends with an error, however soon", events: [told("working", 0), told("error", 2)], turns: [0] },
  {
    title: "is not told twice when the error is over",
    events: [told("working", 0), told("error", 20), told("idle", 40)],
    turns: [0],
  },
  { title: "is left with the agent", events: [told("working", 0), told("ended", 30), told("idle", 40)], turns: [] },
  {
    title: "belongs to its own shell",
    events: [told("working", 0, 2), told("working", 10, 3), told("idle", 30, 3), told("idle", 40, 2)],
    turns: [10, 0],
  },
])("a turn $title", ({ events, turns }) => {
  expect(ended(...events)).toEqual(turns);
});

test("an agent that reports an error says itself what failed", () => {
  const turn = { agent: { ...agent("error", 60), message: "overloaded" }, since: NOON };
  const failed = { kind: "failed", shell: 2, title: "codex failed" };
  expect(noticeOfTurn(turn, undefined, [])).toEqual({ ...failed, body: "overloaded" });
  const silent = { agent: agent("error", 60), since: NOON };
  const last = { type: "error" as const, at: at(59), text: "API Error: 529" };
  expect(noticeOfTurn(silent, last, [])).toEqual({ ...failed, body: "API Error: 529" });
  expect(noticeOfTurn(silent, { ...last, type: "assistant_message" }, [])).toEqual({ ...failed, body: "" });
});

test("a turn's end is called a failure where an error was its last word", () => {
  const turn = { agent: agent("idle", 60), since: NOON };
  const shells = [shellRecord(2, { title: "migrations" })];
  const error = { type: "error" as const, at: at(59), text: "API Error: 529 overloaded\nrequest x" };
  expect(noticeOfTurn(turn, error, shells)).toEqual({
    kind: "failed",
    shell: 2,
    title: "codex failed",
    body: "API Error: 529 overloaded\nIn migrations",
  });
  const finished = { kind: "finished", shell: 2, title: "codex finished", body: "In migrations" };
  expect(noticeOfTurn(turn, { ...error, type: "assistant_message" }, shells)).toEqual(finished);
  expect(noticeOfTurn(turn, { ...error, at: at(-1) }, shells)).toEqual(finished);
  expect(noticeOfTurn(turn, undefined, shells)).toEqual(finished);
});
