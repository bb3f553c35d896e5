import { expect, test } from "vitest";
import { userCaller } from "../../../../../main/relay/access/permits/caller.ts";
import { conversationHandlers } from "../../../../../main/relay/operations/conversations.ts";
import type { KeptMessage } from "../../../../../main/relay/questions/kept-messages.ts";
import { question } from "../../../../support/asked-question.ts";
import { noAgents } from "../../../../support/no-agents.ts";
import { smallSession } from "../small-session.ts";

const caller = userCaller("ann", "127.0.0.1");
const { signal } = new AbortController();

test("a conversation has the questions of its agent session, and of no other", async () => {
  await using lab = smallSession();
  let kept: readonly KeptMessage[] = [];
  const page: typeof noAgents.conversations.page = async ({ agentSessionId }, _wanted, keptOf) => {
    kept = keptOf("claude");
    return { agentType: "claude", sessionId: agentSessionId, messages: [], before: null, after: null, hasMore: false };
  };
  const list = () => [
    question,
    { ...question, id: 8, agentSessionId: "a-2" },
    { ...question, id: 9, agentType: "codex" },
  ];
  const session = { owner: "ann", questions: { list } };
  const others = { owner: "bob", questions: { list: () => [{ ...question, id: 10 }] } };
  const sessions = { all: () => [session, others] };
  const handlers = conversationHandlers({
    sessions,
    user: "ann",
    agents: { conversations: { ...noAgents.conversations, page } },
  });
  const context = { caller, session: lab.session, signal };
  await handlers.getConversation({ agentSessionId: "a-1", limit: 10 }, context);
  expect(kept.map(({ id }) => id)).toEqual(["question:session-1:7"]);
});
