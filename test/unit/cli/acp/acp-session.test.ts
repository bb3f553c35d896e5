import { expect, test } from "vitest";
import { AcpSession } from "../../../../cli/acp/acp-session.ts";
import type { SessionParts } from "../../../../cli/acp/session-parts.ts";

type Recorded = Parameters<SessionParts["record"]["add"]>[0];

/** A session whose agent tells what a test says, and ends its turn when the test does. */
function openSession() {
  const [printed, streamed]: [string[], string[]] = [[], []];
  const recorded: Recorded[] = [];
  let endTurn = (_response: unknown) => {};
  const session = new AcpSession({
    view: {
      print: (text) => void printed.push(text),
      stream: (text) => void streamed.push(text),
      endStream: () => undefined,
      choose: () => new Promise(() => undefined),
      queued: () => undefined,
      state: () => undefined,
    },
    link: { prompt: () => new Promise((resolve) => (endTurn = resolve)), cancel: () => undefined },
    reports: { ask: () => new Promise(() => undefined), tell: () => Promise.resolve() },
    record: { add: (line) => void recorded.push(line) },
    sessionId: "own",
    cwd: "/work",
  });
  session.prompt("Do it.");
  return { session, printed, streamed, recorded, endTurn: (response: unknown) => endTurn(response) };
}

/** As claude-agent-acp 0.101.0 announces a command, before the model has written it. */
const ANNOUNCED = {
  sessionUpdate: "tool_call",
  toolCallId: "toolu-1",
  rawInput: {},
  status: "pending",
  title: "Terminal",
  kind: "execute",
  content: [],
};
const NAMED = {
  sessionUpdate: "tool_call_update",
  toolCallId: "toolu-1",
  rawInput: { command: "touch made-one" },
  title: "touch made-one",
};
const tools = (recorded: readonly Recorded[]) => recorded.filter(({ type }) => type === "tool" || type === "result");

test("a tool that is announced before its input is told of with that, once", () => {
  const { session, printed, recorded } = openSession();
  session.update(ANNOUNCED);
  expect(printed.at(-1)).toBe("» Do it.");
  session.update(NAMED);
  // claude-code-acp 0.16.2 announces it again instead.
  session.update({ ...NAMED, sessionUpdate: "tool_call", status: "pending" });
  session.update({ sessionUpdate: "tool_call_update", toolCallId: "toolu-1", status: "completed" });
  expect(printed.filter((line) => line.startsWith("●"))).toEqual(["● touch made-one"]);
  expect(tools(recorded)).toEqual([
    { type: "tool", text: "touch made-one", call: "toolu-1", input: { command: "touch made-one" } },
    { type: "result", text: "", call: "toolu-1", failed: false },
  ]);
});

test.each([
  [
    "the agent writes on",
    (session: AcpSession) => session.update({ sessionUpdate: "agent_message_chunk", content: {} }),
  ],
  ["another tool begins", (session: AcpSession) => session.update({ ...NAMED, toolCallId: "toolu-2" })],
  [
    "it has ended",
    (session: AcpSession) =>
      session.update({ sessionUpdate: "tool_call_update", toolCallId: "toolu-1", status: "failed" }),
  ],
  ["the agent ends", (session: AcpSession) => session.end()],
])("a tool whose input never comes is told of when %s", (_what, next) => {
  const { session, recorded } = openSession();
  session.update(ANNOUNCED);
  next(session);
  expect(tools(recorded)[0]).toEqual({ type: "tool", text: "Terminal", call: "toolu-1", input: {} });
});

test("a tool is told of before the agent asks permission for it, with the request's input", () => {
  const { session, recorded, printed } = openSession();
  session.update(ANNOUNCED);
  const toolCall = { toolCallId: "toolu-1", title: "touch made-one", rawInput: { command: "touch made-one" } };
  void session.permission({ toolCall, options: [] }, new AbortController().signal);
  expect(printed.at(-1)).toBe("● touch made-one");
  expect(tools(recorded)[0]).toMatchObject({ input: { command: "touch made-one" } });
});

test("what an agent writes does not control the terminal, and only a part of it is recorded", () => {
  const { session, streamed, printed, recorded } = openSession();
  const say = (text: string) =>
    session.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  say("\u001b[2Jgone\u202e");
  session.update({ ...NAMED, title: "rm \u001b]0;x\u0007-r" });
  for (const line of [...streamed, ...printed]) expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
  for (let times = 0; times < 5; times += 1) say("x".repeat(100_000));
  session.end();
  expect(recorded.at(-1)?.text?.length).toBeLessThan(400_000);
});

test("a limited number of prompts waits for the end of a turn", () => {
  const { session, printed } = openSession();
  for (let times = 0; times < 50; times += 1) session.prompt("Next.");
  expect(printed.join()).not.toContain("not taken");
  session.prompt("One too many.");
  expect(printed.at(-1)).toContain("not taken");
});

test("a tool whose input never comes is told of at the turn's end", async () => {
  const { session, recorded, endTurn } = openSession();
  session.update(ANNOUNCED);
  endTurn({ stopReason: "end_turn" });
  await expect.poll(() => recorded.at(-1)?.type).toBe("turn");
  expect(tools(recorded)).toHaveLength(1);
});
