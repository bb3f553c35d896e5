import { expect, test } from "vitest";
import { followConversation } from "../../../../cli/commands/follow-conversation.ts";
import type { ConversationMessage, ConversationPage } from "../../../../core/protocol/conversations.ts";
import { RemoteError } from "../../../../core/protocol/errors.ts";

const programs = { json: true, isTTY: false, colour: false, columns: 80 };
const message = (cursor: string, more: object = {}): ConversationMessage => ({
  id: cursor,
  cursor,
  role: "assistant",
  kind: "text",
  at: "2026-11-21T02:55:59.000Z",
  text: cursor,
  turn: 1,
  ...more,
});
const call = (cursor: string, result?: string) =>
  message(cursor, {
    role: "tool",
    kind: "tool",
    tool: { id: "t", name: "Bash", input: {}, ...(result && { result }) },
  });

/** Follows a conversation until its relay is gone. @param pages the answers to the calls, in their order */
async function follow(
  pages: readonly (Pick<ConversationPage, "messages"> & Partial<ConversationPage>)[],
  given: object = {},
) {
  const asked: object[] = [];
  const written: string[] = [];
  const io = { stdout: { write: (text: string) => void written.push(text) } } as Parameters<
    typeof followConversation
  >[0];
  const answer = async (params: object) => {
    const page = pages[asked.push(params) - 1];
    if (page === undefined) throw new RemoteError("relay_away", "gone");
    return { agentType: "claude", sessionId: "s", before: null, after: null, hasMore: false, ...page };
  };
  await expect(followConversation(io, answer, { agentSessionId: "s", ...given }, programs)).rejects.toThrow("gone");
  return {
    asked,
    written: written
      .join("")
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [JSON.parse(line)])),
  };
}

test("prints what there is, then what is said after the last message, however long that takes", async () => {
  const { asked, written } = await follow([
    { messages: [message("1")] },
    { messages: [] },
    { messages: [message("2")] },
  ]);
  expect(written.map(({ cursor }) => cursor)).toEqual(["1", "2"]);
  const next = (after: string) => ({ agentSessionId: "s", after, wait: 50 });
  expect(asked).toEqual([{ agentSessionId: "s" }, next("1"), next("1"), next("2")]);
});

test("prints a tool call when it is made, and again with its result", async () => {
  const { asked, written } = await follow([
    { messages: [message("1"), call("2")] },
    { messages: [message("3")] },
    { messages: [call("2", "ok")] },
    { messages: [message("4")] },
  ]);
  expect(asked[2]).toEqual({ agentSessionId: "s", after: "1", limit: 1 });
  expect(written.map(({ cursor, tool }) => [cursor, tool?.result])).toEqual([
    ["1", undefined],
    ["2", undefined],
    ["2", "ok"],
    ["3", undefined],
    ["4", undefined],
  ]);
});

test("prints the result of a tool call with which a first page begins that is not the conversation's first", async () => {
  const { asked, written } = await follow(
    [
      { messages: [call("2")], before: "2" },
      { messages: [message("1")] },
      { messages: [message("3")] },
      { messages: [call("2", "ok")] },
    ],
    { limit: 1 },
  );
  expect(asked.slice(1)).toEqual([
    { agentSessionId: "s", before: "2", limit: 1 },
    { agentSessionId: "s", after: "2", wait: 50 },
    { agentSessionId: "s", after: "1", limit: 1 },
    { agentSessionId: "s", after: "3", wait: 50 },
  ]);
  expect(written.map(({ cursor, tool }) => [cursor, tool?.result])).toEqual([
    ["2", undefined],
    ["2", "ok"],
    ["3", undefined],
  ]);
});

test("goes on from where an empty page ends", async () => {
  const { asked } = await follow([{ messages: [], before: "9", after: "9" }], { agentType: "codex", after: "9" });
  expect(asked[1]).toEqual({ agentSessionId: "s", agentType: "codex", after: "9", wait: 50 });
});

test("what goes backwards cannot be followed", async () => {
  const io = {} as Parameters<typeof followConversation>[0];
  const followed = followConversation(
    io,
    () => Promise.reject(new Error("asked")),
    { agentSessionId: "s", before: "9" },
    programs,
  );
  await expect(followed).rejects.toThrow("leave --before out");
});

test("looks at the latest tool calls without a result only: those that were interrupted have none", async () => {
  const interrupted = Array.from({ length: 100 }, (_, index) => call(String(index)));
  const looks = Array.from({ length: 32 }, () => ({ messages: [] }));
  const { asked } = await follow([{ messages: interrupted }, { messages: [] }, ...looks]);
  expect(asked.slice(2, -1)).toEqual(
    looks.map((_, look) => ({ agentSessionId: "s", after: String(67 + look), limit: 1 })),
  );
  expect(asked.at(-1)).toEqual({ agentSessionId: "s", after: "99", wait: 50 });
});
