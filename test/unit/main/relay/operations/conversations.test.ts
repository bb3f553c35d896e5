import { expect, test } from "vitest";
import { SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import type { Question } from "../../../../../core/protocol/questions.ts";
import { userCaller } from "../../../../../main/relay/access/permits/caller.ts";
import { conversationHandlers, keptMessages } from "../../../../../main/relay/operations/conversations.ts";
import type { KeptMessage } from "../../../../../main/relay/session/ports.ts";
import { noAgents } from "../../../../support/no-agents.ts";
import { smallSession } from "../small-session.ts";

const caller = userCaller("ann", "127.0.0.1");
const { signal } = new AbortController();

const question: Question = {
  id: 7,
  session: SessionId.parse("session-1"),
  shellId: ShellId.parse(1),
  agentType: "claude",
  agentSessionId: "a-1",
  kind: "permission",
  title: "Run a command?",
  text: "It cleans up.",
  detail: { command: "rm -r out" },
  options: [
    { id: "yes", label: "Yes", key: "1" },
    { id: "no", label: "No", key: "2" },
  ],
  acceptsText: true,
  risk: { level: "low", reasons: [] },
  askedAt: "2026-11-24T10:00:00.000Z",
  state: "open",
  answerable: true,
  answeredBy: null,
  answer: null,
  closedAt: null,
  closedBecause: null,
  receipt: null,
  source: "hook",
  confidence: "high",
  digest: null,
  rule: null,
};
const closed = { ...question, closedAt: "2026-11-24T10:00:05.000Z" };
const person = { kind: "user", name: "ann", client: null } as const;
const pending = { state: "overruled", evidence: "the call ran", at: closed.closedAt } as const;

test.each<[string, Question, string]>([
  [
    "by option",
    { ...closed, state: "answered", answeredBy: person, answer: { option: "yes", text: null } },
    "user: Yes (ann)",
  ],
  [
    "in words",
    { ...closed, state: "answered", answeredBy: person, answer: { option: "no", text: "use trash" } },
    "user: No: use trash (ann)",
  ],
  [
    "in the terminal, without its option",
    { ...closed, state: "answered", answeredBy: { ...person, kind: "terminal" }, answer: null },
    "user: Answered (in the terminal)",
  ],
  [
    "against the agent's record",
    { ...closed, state: "answered", answeredBy: person, answer: { option: "no", text: null }, receipt: pending },
    "user: No (ann) [overruled: the call ran]",
  ],
  ["not at all", { ...closed, state: "withdrawn", closedBecause: "the agent ended" }, "system: the agent ended"],
])("a question that was answered %s is two messages", (_, asked, said) => {
  const [first, second, ...others] = keptMessages([asked]);
  expect(first).toMatchObject({ role: "system", kind: "question", at: question.askedAt });
  expect(first?.text).toBe("Run a command?\n\nIt cleans up.\n\nrm -r out");
  expect(`${second?.role}: ${second?.text}`).toBe(said);
  expect(second).toMatchObject({ kind: "answer", at: closed.closedAt });
  expect(others).toEqual([]);
});

test("an open question is one message, and several are in the order of their time", () => {
  const later = { ...question, id: 8, askedAt: "2026-11-24T10:00:02.000Z" };
  const answered = { ...closed, state: "answered", answeredBy: person, answer: { option: "yes", text: null } } as const;
  expect(keptMessages([later, answered]).map(({ id }) => id)).toEqual([
    "question:session-1:7",
    "question:session-1:8",
    "answer:session-1:7",
  ]);
});

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

test.each([
  ["a guest", { role: "admin", guest: true }],
  ["a person who may only write", { role: "writer", guest: false }],
] as const)("the shell of %s reads no conversation", async (_who, membership) => {
  await using lab = smallSession();
  const handlers = conversationHandlers({ sessions: { all: () => [] }, user: "ann", agents: noAgents });
  const { principal } = caller;
  const context = { caller: { ...caller, principal: { ...principal, membership } }, session: lab.session, signal };
  const refused = { code: "scope_forbids" };
  const message = { agentSessionId: "a-1", message: "1.1.m", part: "text", offset: 0 } as const;
  expect(() => handlers.getConversations({ limit: 1 }, context)).toThrow(expect.objectContaining(refused));
  expect(() => handlers.getConversation({ agentSessionId: "a-1", limit: 1 }, context)).toThrow(
    expect.objectContaining(refused),
  );
  expect(() => handlers.getConversationText(message, context)).toThrow(expect.objectContaining(refused));
});
