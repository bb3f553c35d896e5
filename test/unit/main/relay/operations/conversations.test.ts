import { expect, test } from "vitest";
import type { KnownResume } from "../../../../../core/protocol/conversations.ts";
import { SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import { userCaller } from "../../../../../main/relay/access/permits/caller.ts";
import { readingPermit } from "../../../../../main/relay/access/permits/permit.ts";
import { conversationHandlers } from "../../../../../main/relay/operations/conversations.ts";
import type { KeptMessage } from "../../../../../main/relay/questions/kept-messages.ts";
import { question } from "../../../../support/asked-question.ts";
import { noAgents, resumeStarts } from "../../../../support/no-agents.ts";
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
    agents: { ...noAgents, conversations: { ...noAgents.conversations, page } },
  });
  const context = { caller, session: lab.session, signal };
  await handlers.getConversation({ agentSessionId: "a-1", limit: 10 }, context);
  expect(kept.map(({ id }) => id)).toEqual(["question:session-1:7"]);
});

const line = "codex resume a-1";
const resume: KnownResume = { command: line, cwd: "/", env: { CODEX_HOME: "/home/me/codex" }, leftOut: ["--image"] };

function resumeLab(lab: Awaited<ReturnType<typeof smallSession>>, found: () => KnownResume) {
  const starts = resumeStarts(() => found().runsIn);
  const resumes = { ...noAgents.resumes, starts, find: found };
  const handlers = conversationHandlers({ sessions: { all: () => [] }, user: "ann", agents: { ...noAgents, resumes } });
  const context = { caller, session: lab.session, signal };
  return async (yes: boolean) =>
    handlers.resumeConversation({ session: lab.session.id, agentSessionId: "a-1", yes }, context);
}

test("a conversation is shown as it would be resumed, and with `yes` resumed once in a new shell in its folder", async () => {
  await using lab = smallSession();
  await lab.join();
  const call = resumeLab(lab, () => resume);
  expect(await call(false)).toEqual({ state: "shown", ...resume, shellId: null });
  expect(lab.session.state.now.shells).toEqual([]);
  const both = await Promise.allSettled([call(true), call(true)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(lab.session.state.now.shells).toMatchObject([{ id: 1, cwd: "/" }]);
  await expect(call(true)).rejects.toThrow("It is resumed in shell 1.");
  // Its shell has ended, and the agent with it.
  lab.tell({ kind: "exited", id: ShellId.parse(1), exitCode: 1, signal: null });
  expect(await call(true)).toMatchObject({ state: "started", shellId: 2 });
});

test("one that runs is not resumed: its shell is named", async () => {
  await using lab = smallSession();
  const shellId = ShellId.parse(3);
  const why = "An agent works on it in shell 3.";
  const refusal = (more: Partial<KnownResume>) =>
    expect(resumeLab(lab, () => ({ ...resume, why, ...more }))(false)).rejects;
  await refusal({ runsIn: { session: lab.session.id, shellId } }).toThrow(/in shell 3: go there instead/);
  const elsewhere = { session: SessionId.parse("session-2"), shellId };
  await refusal({ runsIn: elsewhere }).toThrow(/in shell 3 of another session/);
  await refusal({}).toMatchObject({ code: "invalid_request", message: why });
});

test("one caller reads few conversations at a time, and has a limited number of reads and waits open", async () => {
  await using lab = smallSession();
  let running = 0;
  const isHeld = new Promise<never>(() => {});
  const read = () => {
    running += 1;
    return isHeld;
  };
  const page: typeof noAgents.conversations.page = (_name, _wanted, _kept, options = {}) => {
    const { inTurn = (run: () => Promise<never>) => run() } = options;
    return inTurn(read);
  };
  const handlers = conversationHandlers({
    sessions: { all: () => [] },
    user: "ann",
    agents: { ...noAgents, conversations: { list: read, page, text: read } },
  });
  const contextOf = (account: string) => ({ caller: { ...caller, account }, session: lab.session, signal });
  const named = { agentSessionId: "a-1" };
  const list = async (account: string) => handlers.getConversations({ limit: 10 }, contextOf(account));
  const show = async (account: string, wait = {}) =>
    handlers.getConversation({ ...named, limit: 10, ...wait }, contextOf(account));
  const text = async (account: string) =>
    handlers.getConversationText({ ...named, message: "0.m.1", part: "text", offset: 0 }, contextOf(account));
  const reads = [show, text, list];
  for (let open = 0; open < 64; open++) void reads[open % reads.length]?.("one");
  const refused = { code: "too_many_requests", message: expect.stringContaining("64 reads") };
  for (const more of reads) await expect(more("one")).rejects.toMatchObject(refused);
  expect(running).toBe(2);
  for (let open = 0; open < 64; open++) void show("other", { after: "start", wait: 60 });
  const late = { code: "too_many_requests", message: expect.stringContaining("64 waits") };
  await expect(show("other", { after: "start", wait: 60 })).rejects.toMatchObject(late);
  expect(running).toBe(4);
});

test("secrets in messages are hidden, and kept for the owner without restrictions only", async () => {
  await using lab = smallSession();
  const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  const message = {
    id: "m",
    cursor: "1.m.1",
    role: "tool",
    kind: "tool",
    at: "2026-11-21T00:00:00.000Z",
    turn: 1,
    text: `use ${token}`,
    tool: {
      id: "t",
      name: "Bash",
      input: { command: `curl -H ${token}`, password: "hunter22" },
      result: `is ${token}`,
    },
  } as const;
  const cut = { ...message, text: "the beginning of ghp_abc", tool: undefined, longer: { text: 5_000_000 } };
  const rest = { before: null, after: "1.m.1", hasMore: false };
  const handlers = conversationHandlers({
    sessions: { all: () => [] },
    user: "ann",
    agents: {
      ...noAgents,
      conversations: {
        ...noAgents.conversations,
        page: async () => ({ agentType: "claude", sessionId: "a-1", messages: [message, cut], ...rest }),
      },
    },
  });
  const context = { caller, session: lab.session, signal };
  const wanted = { agentSessionId: "a-1", limit: 10 };
  const dots = "•".repeat(36);
  const shown = await handlers.getConversation(wanted, context);
  expect(shown).toMatchObject({
    messages: [{ text: `use ghp_${dots}` }, { text: "the beginning of •••••••" }],
    ...rest,
  });
  expect(shown.messages[0]?.tool).toEqual({
    ...message.tool,
    input: { command: `curl -H ghp_${dots}`, password: "••••••••" },
    result: `is ghp_${dots}`,
  });
  const kept = await handlers.getConversation({ ...wanted, secrets: "keep" }, context);
  expect(kept.messages).toEqual([message, cut]);

  const restricted = { ...caller, permit: readingPermit(ShellId.parse(1)) };
  const refused = async () =>
    handlers.getConversation({ ...wanted, secrets: "keep" }, { ...context, caller: restricted });
  await expect(refused()).rejects.toMatchObject({ code: "scope_forbids" });
});
