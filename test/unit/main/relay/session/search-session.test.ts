import { expect, test, vi } from "vitest";
import { ClientId, SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import type { ShellHost } from "../../../../../core/protocol/shell-host.ts";
import {
  readAround,
  readConversation,
  searchChat,
  searchSession,
  waitForMessage,
} from "../../../../../main/relay/session/search-session.ts";
import { OutputLog } from "../../../../../main/shells/output-log.ts";
import { question } from "../../../../support/asked-question.ts";
import type { noAgents } from "../../../../support/no-agents.ts";
import { smallSession } from "../small-session.ts";

const from = { clientId: ClientId.parse(1), name: "Ada" };
const messages = ["First plan", "nothing", "the PLAN again", "plan three"].map((text, index) => ({
  id: index + 1,
  from,
  text,
  at: `2026-11-24T10:0${index}:00.000Z`,
}));

async function found(more: Partial<Parameters<typeof searchChat>[1]>) {
  const query = { query: "plan", regex: false, since: undefined, until: undefined, limit: 10, ...more };
  return (await searchChat(messages, query)).map(({ id }) => id);
}

test("chat is searched in any case, the latest first, within times and a limit", async () => {
  expect(await found({})).toEqual(["4", "3", "1"]);
  expect(await found({ limit: 2 })).toEqual(["4", "3"]);
  expect(await found({ since: "2026-11-24T10:02:00.000Z", until: "2026-11-24T10:03:00.000Z" })).toEqual(["3"]);
  expect(await found({ query: "plane" })).toEqual([]);
  const [hit] = await searchChat(messages, {
    query: "plan",
    regex: false,
    since: undefined,
    until: undefined,
    limit: 1,
  });
  expect(hit).toMatchObject({ in: "chat", line: "plan three", from: 0, length: 4 });
});

test.each<[string | string[], string[]]>([
  ["commands,chat", ["commands", "chat"]],
  [
    ["output", "conversations"],
    ["output", "conversations"],
  ],
  ["session", ["commands", "output", "chat"]],
  ["everything", ["commands", "output", "conversations", "chat"]],
])("a search in %j looks in %j only", async (places, expected) => {
  await using lab = smallSession();
  const asked: string[] = [];
  const history = {
    settle: async () => true,
    async commands() {
      asked.push("commands");
      return [];
    },
    async search() {
      asked.push("output");
      return [];
    },
    async searchConversations() {
      asked.push("conversations");
      return { hits: [], complete: true };
    },
  };
  const query = { query: "plan", regex: false, in: places, limit: 10 };
  const search = (conversations: boolean) =>
    searchSession(history, { ...lab.session.state.now, chat: messages }, query, { conversations, waitMs: 0 });
  const { hits } = await search(true);
  expect([...asked, ...(hits.length > 0 ? ["chat"] : [])]).toEqual(expected);
  // Who names conversations and may not read them is told so.
  if (places.includes("conversations")) await expect(search(false)).rejects.toMatchObject({ code: "scope_forbids" });
  else await search(false);
});

test("a search of the chat neither shows nor finds a secret", async () => {
  const key = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  const said = [{ id: 1, from, text: `the key is ${key}`, at: "2026-11-24T10:00:00.000Z" }];
  const search = (query: string) =>
    searchChat(said, { query, regex: false, since: undefined, until: undefined, limit: 9 });
  expect(await search("the key")).toMatchObject([{ line: `the key is ghp_${"•".repeat(36)}`, from: 0, length: 7 }]);
  expect(await search("abcdefgh")).toEqual([]);
});

test("others have their turn while many messages are searched", async () => {
  const said = Array.from({ length: 200 }, (_, index) => ({
    id: index,
    from,
    text: "-eyJ".repeat(500),
    at: "2026-11-24T10:00:00Z",
  }));
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await searchChat(said, { query: "eyJ", regex: false, since: undefined, until: undefined, limit: 200 });
  clearInterval(timer);
  expect(turns).toBeGreaterThan(2);
});

test("output is read around a place, and without one before its end", async () => {
  await using lab = smallSession();
  const log = new OutputLog();
  log.append(Buffer.from("0123\r\n456789"));
  const read: ShellHost["read"] = async (range) => {
    const { bytes, ...part } = log.read(range);
    return { output: bytes.toString(), ...part };
  };
  const owner = { session: SessionId.parse("session-1"), shell: ShellId.parse(7) };
  const around = (offset: number | undefined) =>
    readAround({ host: { ...lab.session.shells.host, read }, history: undefined, owner }, { offset, shown: undefined });
  expect(await around(4)).toMatchObject({ before: "0123", after: "\r\n456789", from: 0, to: 12 });
  expect(await around(undefined)).toMatchObject({ before: "0123\r\n456789", after: "", from: 0, to: 12 });
});

test("a conversation is read around a message, and without one from its end", async () => {
  const name = { agentType: "claude", agentSessionId: "s" };
  const ranges: unknown[] = [];
  const page = vi.fn(async (_name: unknown, range: unknown) => {
    ranges.push(range);
    return { agentType: "claude", sessionId: "s", messages: [], before: "b", after: null, hasMore: false };
  });
  await readConversation({ page }, [], name);
  expect(ranges.splice(0)).toEqual([{ limit: 60 }]);
  await readConversation({ page }, [], { ...name, cursor: "c" });
  expect(ranges).toEqual([
    { before: "c", limit: 20 },
    { after: "start", limit: 40 },
  ]);
});

test("the next message of a conversation is waited for, and questions of the session count as such", async () => {
  const read: unknown[] = [];
  const page: typeof noAgents.conversations.page = async ({ agentSessionId }, range, kept) => {
    read.push([range, kept("claude").map(({ id }) => id)]);
    return { agentType: "claude", sessionId: agentSessionId, messages: [], before: null, after: null, hasMore: false };
  };
  const name = { agentType: "claude", agentSessionId: "a-1" };
  const questions = [question, { ...question, id: 8, agentSessionId: "b" }];
  await waitForMessage(
    { page },
    () => questions,
    { ...name, after: "c" },
    (read) => read(),
  );
  await readConversation({ page }, questions, name);
  const kept = ["question:session-1:7"];
  expect(read).toEqual([
    [{ after: "c", limit: 1, wait: 10 }, kept],
    [{ limit: 60 }, kept],
  ]);
});
