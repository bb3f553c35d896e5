import { afterEach, expect, test, vi } from "vitest";
import type { Agent, AgentEvent, AgentStatus } from "../../../../../core/protocol/agent-records.ts";
import { RemoteError } from "../../../../../core/protocol/errors.ts";
import type { RelayEvent } from "../../../../../core/protocol/events.ts";
import type { SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import type { Question } from "../../../../../core/protocol/questions.ts";
import { notifyAboutAgents } from "../../../../../main/desktop/notifications/agent-notifications.ts";
import type { DesktopClient } from "../../../../../main/desktop/sessions/desktop-client.ts";
import { until } from "../../../../support/until.ts";
import { shellRecord } from "../../relay/small-session.ts";

const NOON = Date.UTC(2026, 2, 14, 12);
const at = (seconds: number) => new Date(NOON + seconds * 1000).toISOString();
const agent = (state: AgentStatus, seconds: number): Agent => ({
  shellId: 2 as ShellId,
  agentType: "claude",
  model: "m",
  sessionId: "run-1",
  tokenUsage: { input: 0, output: 0, cached: 0, cost: 0 },
  state,
  since: at(seconds),
});
const updated = (state: AgentStatus, seconds: number): RelayEvent => ({
  type: "agent.updated",
  data: agent(state, seconds),
});

afterEach(() => void vi.useRealTimers());

const question = {
  id: 7,
  shellId: 2,
  agentType: "claude",
  title: "Bash: make",
  text: "",
  detail: { command: "make" },
  options: [],
  risk: { level: "low", reasons: [] },
  source: "hook",
} as unknown as Question;

/** A session whose client says what a test wants it to say. */
function session({ last = [], inFront = false }: { last?: AgentEvent[] | RemoteError; inFront?: boolean } = {}) {
  const said: string[] = [];
  const asked: unknown[] = [];
  let hear: (event: RelayEvent) => void = () => undefined;
  const client = {
    mirror: { shells: [shellRecord(2, { title: "tests" })], questions: [] as Question[] },
    state: { now: { tiles: {} } },
    onEvent(listener: typeof hear) {
      hear = listener;
      return () => {
        hear = () => undefined;
      };
    },
    async ask(op: string, params: unknown) {
      asked.push([op, params]);
      if (last instanceof RemoteError) throw last;
      return last;
    },
  };
  const stop = notifyAboutAgents({ id: "s" as SessionId, client } as unknown as DesktopClient, {
    tell: (_session, { kind, title }) => said.push(`${kind}: ${title}`),
    closed: (_session, id) => said.push(`question ${id} is closed`),
    changed: () => said.push("changed"),
    ended: (_session, shell) => said.push(`shell ${shell} has no agent`),
    inFront: () => inFront,
  });
  return { said, asked, stop, tell: (event: RelayEvent) => hear(event) };
}

test("a turn that an error ended is told as failed, after a look at its transcript", async () => {
  const error: AgentEvent = { id: "e", type: "error", at: at(59), text: "overloaded", data: {} };
  const { said, asked, tell } = session({ last: [error] });
  tell(updated("working", 0));
  tell(updated("idle", 60));
  await until("the notice", () => said.includes("failed: claude failed"));
  expect(asked).toEqual([["getAgentEvents", { sessionId: "run-1", types: ["assistant_message", "error"], limit: 1 }]]);
});

test("a turn whose transcript cannot be had has finished all the same", async () => {
  const { said, tell } = session({ last: new RemoteError("unknown_agent_session", "No agent session.") });
  tell(updated("working", 0));
  tell(updated("idle", 60));
  await until("the notice", () => said.includes("finished: claude finished"));
});

test("who has the session before him is told of what waits, and not of what finishes", () => {
  const { said, asked, tell } = session({ inFront: true });
  tell(updated("working", 0));
  vi.useFakeTimers();
  tell({ type: "agent.waiting", data: agent("waiting", 5) });
  vi.runAllTimers();
  tell(updated("idle", 60));
  expect(said.filter((line) => line !== "changed")).toEqual(["waiting: claude waits for you"]);
  expect(asked).toEqual([]);
});

test("with its agent a shell's muting ends; who has stopped listening hears nothing", () => {
  const { said, stop, tell } = session();
  tell({ type: "agent.ended", data: agent("ended", 70) });
  expect(said).toEqual(["changed", "ended: claude ended", "shell 2 has no agent"]);
  stop();
  tell(updated("working", 80));
  expect(said).toHaveLength(3);
});

test("a question is told instead of the status of its agent, in either order, and its end as well", () => {
  vi.useFakeTimers();
  const { said, tell } = session();
  tell({ type: "agent.waiting", data: agent("waiting", 5) });
  tell({ type: "question.opened", data: question });
  vi.runAllTimers();
  tell({ type: "question.answered", data: question });
  expect(said.filter((line) => line !== "changed")).toEqual([
    "waiting: claude asks: Bash: make",
    "question 7 is closed",
  ]);
});

test("an agent that works on at once, or whose session is left, is not told as waiting", () => {
  vi.useFakeTimers();
  const { said, stop, tell } = session();
  tell({ type: "agent.waiting", data: agent("waiting", 5) });
  tell(updated("working", 6));
  tell({ type: "agent.waiting", data: agent("waiting", 7) });
  stop();
  vi.runAllTimers();
  expect(said.filter((line) => line !== "changed")).toEqual([]);
});
