import { beforeAll, expect, test } from "vitest";
import type { ShellId } from "../../core/protocol/ids.ts";
import type { Receipt } from "../../core/protocol/receipts.ts";
import { AgentLab } from "../integration/main/agents/agent-lab.ts";
import { until } from "../support/until.ts";
import { startWatchingRelay } from "../support/watching-relay.ts";
import { type AgentProgram, agentPlace, installOnly } from "./programs.ts";
import { pause } from "./question-lab.ts";
import { startInShell } from "./start-in-shell.ts";
import { userMessages } from "./user-messages.ts";

beforeAll(() => installOnly("claude", "codex", "gemini"), 900_000);

const long = Array.from({ length: 40 }, (_, index) => `line ${index} of a long prompt`).join("\n");

/** The real program in a shell of a real relay, against a local stub of its API. */
async function openAgent(program: AgentProgram, words = "") {
  const lab = new AgentLab();
  const place = await agentPlace(lab, program);
  const relay = await startWatchingRelay({ home: lab.home, undo: lab.undo, env: place.env });
  const client = await relay.join();
  const { shellId: shell } = await relay.command<{ shellId: ShellId }>("createShell", { cwd: place.cwd });
  const { sends, state } = relay.relay.sessions.get(relay.session);
  await startInShell(relay, shell, { program, place, words });
  const account = `key ${relay.relay.user}`;
  const sender = { account, name: "test", isAutomated: false, byAgent: false, restrictsShell: false };
  return {
    ...{ lab, relay, client, shell, sends, state },
    sendTo: (agentSessionId: string, text: string) =>
      sends.send(shell, { agentSessionId, text, when: "idle", guard: true, expiresIn: 60 }, sender).id,
    send: (text: string, when: "now" | "idle" = "now") =>
      sends.send(shell, { text, when, guard: true, expiresIn: 60 }, sender).id,
    reached: (id: number, wanted: Receipt["state"]) =>
      until(`${wanted} of prompt ${id}`, () => (sends.get(id).state === wanted ? sends.get(id) : undefined), 40_000),
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await relay[Symbol.asyncDispose]();
      lab[Symbol.dispose]();
    },
  };
}

test("prompts for the real Claude Code: each receipt agrees with its transcript", { timeout: 180_000 }, async () => {
  await using agent = await openAgent("claude", "--model claude-sonnet-4-6 --permission-mode default");
  const { lab, relay, shell, sends, state, reached } = agent;
  const send = (text: string, when: "now" | "idle" = "idle") => agent.send(text, when);
  await until("its session", () => state.now.agents.some(({ sessionId }) => sessionId !== ""), 30_000);
  const first = send("Say it\nin two lines. SAY{Done.}");
  const second = send(long);
  expect((await reached(first, "started")).history.map(({ state: one }) => one)).toEqual(
    expect.arrayContaining(["written", "echoed", "accepted", "started"]),
  );
  await reached(second, "started");
  const busy = send("RUN{sleep 4} SAY{Done.}");
  await reached(busy, "started");
  // In the middle of a turn Claude Code queues a prompt, and passes it on in the same turn or the next.
  const queued = send("and this as well", "now");
  await reached(queued, "started");
  const asks = send("Do it. ASK{touch made} SAY{Done.}");
  await reached(asks, "started");
  await until("the dialog", () => state.now.agents[0]?.state === "waiting", 30_000);
  const refused = send("into the dialog", "now");
  expect(await reached(refused, "refused")).toMatchObject({ reason: "question_open" });
  const after = send("after the dialog");
  await relay.command("sendKeys", { id: shell, keys: ["Escape"] });
  await reached(after, "started");
  // The same text again is another prompt.
  const again = send("after the dialog");
  await reached(again, "started");

  const recorded = userMessages.claude(lab.home);
  const texts = { [first]: "Say it\nin two lines. SAY{Done.}", [second]: long };
  for (const { id, text, history } of sends.list({ all: true })) {
    const isAccepted = history.some((entry) => entry.state === "accepted");
    const count = recorded.filter((one) => one === (texts[id] ?? text)).length;
    expect([id, count > 0]).toEqual([id, isAccepted]);
  }
  expect(recorded.filter((text) => text === "after the dialog")).toHaveLength(2);
  expect(relay.errors).toEqual([]);
});

test("a prompt for a session of the real Claude Code is not sent after /clear", { timeout: 180_000 }, async () => {
  await using agent = await openAgent("claude", "--model claude-sonnet-4-6 --permission-mode default");
  const { lab, relay, shell, sends, state, reached, sendTo } = agent;
  const press = (...keys: string[]) => relay.command("sendKeys", { id: shell, keys });
  const session = () => state.now.agents[0]?.sessionId ?? "";
  await until("its session", () => session() !== "", 30_000);
  const before = session();
  await reached(sendTo(before, "Do it. RUN{sleep 5} SAY{Done.}"), "started");
  const late = sendTo(before, "for the session before");
  // In the middle of the turn, so that Claude Code clears as soon as it is idle.
  await press("/clear");
  await pause(700);
  await press("Enter");
  await until("the other session", () => session() !== "" && session() !== before, 60_000);
  expect(await reached(late, "refused")).toMatchObject({ reason: "agent_gone" });
  expect(userMessages.claude(lab.home)).not.toContain("for the session before");
  const next = sendTo(session(), "for the session after");
  await reached(next, "started");
  console.log(JSON.stringify(sends.get(late).history));
  expect(relay.errors).toEqual([]);
});

test.for(["codex", "gemini"] as const)(
  "prompts for the real %s, the first one while it starts: each is in its transcript once",
  { timeout: 240_000 },
  async (program) => {
    await using agent = await openAgent(program);
    const { lab, relay, send, reached, sends } = agent;
    const texts = [
      "Say it\nin two lines. SAY{Done.}",
      long,
      `${"word ".repeat(600)}SAY{Done.}`,
      "the last. SAY{Done.}",
    ];
    const ids = [send(texts[0] ?? "", "now"), ...texts.slice(1).map((text) => send(text, "idle"))];
    for (const id of ids) await reached(id, "started");
    expect(sends.list({ all: true }).map(({ state }) => state)).toEqual(ids.map(() => "started"));
    const recorded = userMessages[program](lab.home).map((text) => text.trim());
    expect(texts.map((text) => recorded.filter((one) => one === text.trim()).length)).toEqual(texts.map(() => 1));
    expect(relay.errors).toEqual([]);
  },
);
