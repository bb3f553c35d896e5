import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type ConversationMessage,
  ConversationPage,
  conversationLimits,
} from "../../../../core/protocol/conversations.ts";
import type { AgentAdapter } from "../../../../main/agents/adapters/adapter.ts";
import { allAdapters } from "../../../../main/agents/adapters/all.ts";
import { type ConversationSource, readPage, readText, START } from "../../../../main/agents/conversation-page.ts";
import { placeOf } from "../../../../main/agents/conversation-place.ts";
import { addUsage, noUsage } from "../../../../main/agents/ledger.ts";
import { createPricing } from "../../../../main/agents/pricing.ts";
import { openAccount, relatedCalls } from "../../../../main/agents/session-account.ts";
import { rawConversation, saidIn } from "../../../support/raw-conversations.ts";

const fixtures = join(import.meta.dirname, "../../../fixtures/agents");
const legacy = readdirSync(join(fixtures, "legacy")).map((folder) => join("legacy", folder));
const homes = ["claude", "codex", "gemini", "qwen", "copilot", "opencode", ...legacy].map((folder) => {
  const kind = folder.replace("legacy/", "").replace(/-[\d.]+$/, "");
  const adapter = allAdapters().find((one) => one.kind === kind);
  const home = adapter?.home((name) => (name === "HOME" ? join(fixtures, folder) : undefined));
  if (adapter === undefined || home === undefined) throw new Error(folder);
  return { folder, adapter, home };
});
const sessions = homes.flatMap(({ folder, adapter, home }) =>
  adapter.sessions(home).map((sessionId) => ({ name: `${folder} ${sessionId}`, adapter, home, sessionId })),
);

describe.each(sessions)("the conversation of $name", ({ adapter, home, sessionId }) => {
  let source: ConversationSource;
  let all: readonly ConversationMessage[];

  beforeAll(async () => {
    const problem = ({ reason, path }: { reason: string; path: string }) => {
      throw new Error(`${reason}: ${path}`);
    };
    const transcript = { adapter, home, sessionId, price: createPricing(() => []), log: { problem } };
    source = { ...transcript, foreign: await relatedCalls(transcript), kept: [] };
    const page = await readPage(source, { limit: 1000 });
    expect(page).toMatchObject({ before: null, hasMore: false });
    ConversationPage.parse({ ...page, agentType: adapter.kind, sessionId });
    all = page.messages;
  });

  test("has what the raw records say, one by one, whole, and nothing twice", () => {
    const said = all.flatMap(saidIn);
    expect(said.sort()).toEqual(rawConversation(adapter.kind, adapter.files(home, sessionId), sessionId).sort());
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(new Set(all.map(({ cursor }) => cursor)).size).toBe(all.length);
  });

  test("has the use that is in the accounts, each call once", async () => {
    const account = await openAccount(source);
    await account.update();
    const sum = all.reduce((total, { tokenUsage }) => addUsage(total, tokenUsage ?? noUsage), noUsage);
    expect(sum).toEqual(account.usage());
  });

  test.each([1, 2, 7])("has each message once in pages of %d, forwards and backwards", async (limit) => {
    const forwards: ConversationMessage[] = [];
    for (let after = START; ; ) {
      const page = await readPage(source, { after, limit });
      forwards.push(...page.messages);
      expect(page.hasMore).toBe(forwards.length < all.length);
      if (!page.hasMore) break;
      expect(page.messages).toHaveLength(limit);
      after = placeOf(page.after ?? "") ?? START;
    }
    expect(forwards).toEqual(all);
    const backwards: ConversationMessage[] = [];
    for (let before: string | null | undefined; before !== null; ) {
      const page = await readPage(source, { before: before === undefined ? undefined : placeOf(before), limit });
      expect(page.hasMore).toBe(before !== undefined);
      backwards.unshift(...page.messages);
      before = page.before;
    }
    expect(backwards).toEqual(all);
  });
});

test("a sub-agent's messages stand by its id where they were said, with the turn of the prompt that they serve", async () => {
  const { adapter, home } = homeOf("claude");
  const source = sourceOf(adapter, home, "33333333-3333-4333-8333-333333333333");
  const { messages } = await readPage(source, { limit: 100 });
  const told = messages
    .filter(({ kind }) => kind !== "note")
    .map(
      ({ role, kind, text, tool, subagent = "", turn }) => `${turn} ${role} ${kind} ${subagent} ${tool?.name ?? text}`,
    );
  const id = "a2463b6d2ab34a3cb";
  expect(told).toEqual([
    "1 user prompt  Delegate. SUB{Sub job RUN[echo from-sub] SAY[Sub done.]} SAY{Main done.}",
    "1 assistant thinking  Stub thinking about step 0.",
    "1 assistant text  Step 1: I will use a tool.",
    "1 tool tool  Agent",
    `1 subagent prompt ${id} Sub job RUN{echo from-sub} SAY{Sub done.}`,
    `1 subagent thinking ${id} Stub thinking about step 0.`,
    `1 subagent text ${id} Step 1: I will use a tool.`,
    `1 tool tool ${id} Bash`,
    `1 subagent thinking ${id} Stub thinking about step 1.`,
    `1 subagent text ${id} Sub done.`,
    "1 assistant thinking  Stub thinking about step 1.",
    "1 assistant text  Main done.",
  ]);
});

test.each([
  ["claude", "11111111-1111-4111-8111-111111111111", "pwd; exit 3", { exitCode: 3, isError: true, refused: false }],
  ["claude", "3374e44a-3626-41a4-8b49-1220ae11de36", "touch refused", { isError: true, refused: true }],
  ["claude", "3374e44a-3626-41a4-8b49-1220ae11de36", "made-by-stub", { decision: "accept (user_temporary)" }],
  ["codex", "01a1fc09-2d3e-7271-bef2-7b260fa504e2", "echo one", { exitCode: 0, isError: false, durationMs: 0 }],
  ["codex", "01a1fc09-3973-7811-83d5-910b5de784a0", "touch refused", { isError: true }],
  ["gemini", "1c1cdd35-c777-43bf-960b-8ee784f938d7", "touch refused", { isError: true, refused: true }],
  ["qwen", "bf7e30af-5e1a-44c5-9042-a58ba8e59d23", "echo hi", { exitCode: 0, isError: false, durationMs: 794 }],
  ["copilot", "0c54d057-0bc9-48a6-ab25-b33f353aace9", "echo hi", { exitCode: 0, isError: false, durationMs: 413 }],
  ["opencode", "ses_dfdb66f76ffe97O3WlkcOgWHjw", "echo hi", { exitCode: 0, isError: false, durationMs: 215 }],
])("a tool call of %s has its own outcome: %s %s", async (kind, sessionId, command, outcome) => {
  const { adapter, home } = homeOf(kind);
  const { messages } = await readPage(sourceOf(adapter, home, sessionId), { limit: 100 });
  const [call] = messages.filter(({ tool }) => JSON.stringify(tool?.input ?? "").includes(command));
  expect(call?.tool).toMatchObject(outcome);
  expect(call?.model).toMatch(/./);
});

test("commands of the agent, what they print, summaries and the error of an API are messages", async () => {
  const of = async (kind: string, sessionId: string) => {
    const { adapter, home } = homeOf(kind);
    const { messages } = await readPage(sourceOf(adapter, home, sessionId), { limit: 100 });
    return messages.map(({ role, kind: is, text }) => `${role} ${is} ${text}`);
  };
  const typed = await of("claude", "3374e44a-3626-41a4-8b49-1220ae11de36");
  expect(typed).toContain("user command /context");
  expect(typed.filter((message) => message.startsWith("system output"))).toHaveLength(1);
  const compacted = await of("claude", "11111111-1111-4111-8111-111111111111");
  expect(compacted.some((message) => message.startsWith("system summary This session is being continued"))).toBe(true);
  expect(await of("codex", "01a1fc09-3354-7e42-8c65-f6df7ca02110")).toContain("system error stub failure 400");
});

test("a text that is too long for a page is told to be longer, and is read on whole", async () => {
  using folder = temporaryFolder();
  const long = "😀abc".repeat(300_000);
  const source = writtenBy(folder.path, [
    { type: "user", message: { role: "user", content: long } },
    {
      type: "assistant",
      message: { id: "m1", content: [{ type: "tool_use", id: "t1", name: "Bash", input: { long } }] },
    },
    { type: "user", message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: long }] } },
  ]);
  const { messages } = await readPage(source, { limit: 10 });
  expect(messages.map(({ longer }) => longer)).toEqual([
    { text: long.length },
    { input: long.length + '{"long":""}'.length, result: long.length },
  ]);
  expect(long.startsWith(messages[0]?.text ?? "-")).toBe(true);
  const place = placeOf(messages[1]?.cursor ?? "") ?? START;
  expect(await readText(source, place, "result")).toBe(long);
  expect(await readText(source, place, "input")).toBe(JSON.stringify({ long }));
  expect(await readText(source, placeOf(messages[0]?.cursor ?? "") ?? START, "text")).toBe(long);
  expect(await readText(source, { ...place, number: 99 }, "text")).toBeUndefined();
});

test("a page ends before its texts are longer than a page, and the next one goes on there", async () => {
  using folder = temporaryFolder();
  const texts = Array.from({ length: 12 }, (_, index) => String(index % 10).repeat(900_000));
  const source = writtenBy(
    folder.path,
    texts.map((content) => ({ type: "user", message: { role: "user", content } })),
  );
  const seen: string[] = [];
  for (let after = START; ; ) {
    const page = await readPage(source, { after, limit: 100 });
    expect(page.messages.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(conversationLimits.page);
    seen.push(...page.messages.map(({ text }) => text));
    if (!page.hasMore) break;
    after = placeOf(page.after ?? "") ?? START;
  }
  expect(seen).toEqual(texts);
  const last = await readPage(source, { limit: 100 });
  expect(last.messages.map(({ text }) => text)).toEqual(texts.slice(-4));
});

test("what the relay has kept stands among the messages by its time, on pages too", async () => {
  const { adapter, home } = homeOf("copilot");
  const source = sourceOf(adapter, home, "0c54d057-0bc9-48a6-ab25-b33f353aace9");
  const kept = [
    { id: "question:1", role: "system", kind: "question", at: "2026-11-22T08:07:09.900Z", text: "Run?" } as const,
    { id: "answer:1", role: "user", kind: "answer", at: "2026-11-22T08:07:10.000Z", text: "Yes" } as const,
  ];
  const { messages } = await readPage({ ...source, kept }, { limit: 100 });
  expect(messages.map(({ kind }) => kind)).toEqual(["prompt", "tool", "question", "answer", "text"]);
  const after = placeOf(messages[1]?.cursor ?? "") ?? START;
  const page = await readPage({ ...source, kept }, { after, limit: 1 });
  expect(page).toMatchObject({ messages: [{ id: "question:1" }], hasMore: true });
});

test("`after` the last message gives what was written since", async () => {
  using folder = temporaryFolder();
  const source = writtenBy(folder.path, [{ type: "user", message: { role: "user", content: "one" } }]);
  const first = await readPage(source, { after: START, limit: 10 });
  const after = placeOf(first.after ?? "") ?? START;
  expect(await readPage(source, { after, limit: 10 })).toMatchObject({
    messages: [],
    after: first.after,
    hasMore: false,
  });
  writtenBy(folder.path, [{ type: "user", message: { role: "user", content: "two" } }], { number: 1 });
  expect(await readPage(source, { after, limit: 10 })).toMatchObject({ messages: [{ text: "two", turn: 2 }] });
});

test("of several streams, the messages of the last second come with the next page after a place", async () => {
  using folder = temporaryFolder();
  const source = writtenBy(
    folder.path,
    ["one", "two"].map((content) => ({ type: "user", message: { role: "user", content } })),
  );
  const question = { id: "question:1", role: "system", kind: "question", text: "Run?" } as const;
  const both = { ...source, kept: [{ ...question, at: "2026-11-21T00:00:00.500Z" }] };
  const now = Date.UTC(2026, 10, 21, 0, 0, 1, 200);
  const page = await readPage(both, { after: START, limit: 10 }, now);
  expect(page).toMatchObject({ messages: [{ text: "one" }], hasMore: true });
  const after = placeOf(page.after ?? "") ?? START;
  expect(await readPage(both, { after, limit: 10 }, now)).toMatchObject({ messages: [], after: page.after });
  expect(await readPage(both, { after, limit: 10 }, now + 1000)).toMatchObject({
    messages: [{ text: "Run?" }, { text: "two" }],
    hasMore: false,
  });
  expect((await readPage(both, { limit: 10 }, now)).messages).toHaveLength(3);
  expect((await readPage(source, { after: START, limit: 10 }, now)).messages).toHaveLength(2);
  expect((await readPage(both, { after: START, limit: 10 }, now - 10_000)).messages).toHaveLength(3);
});

function homeOf(folder: string) {
  const found = homes.find((one) => one.folder === folder);
  if (found === undefined) throw new Error(folder);
  return found;
}

function sourceOf(adapter: AgentAdapter, home: string, sessionId: string): ConversationSource {
  const log = { problem: () => {} };
  return { adapter, home, sessionId, price: createPricing(() => []), log, foreign: new Set(), kept: [] };
}

const SESSION = "99999999-9999-4999-8999-999999999999";

function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "conversation-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Appends records of Claude Code, each a second after the one before. */
function writtenBy(home: string, records: readonly object[], { number = 0 } = {}): ConversationSource {
  const folder = join(home, "projects", "-p");
  mkdirSync(folder, { recursive: true });
  for (const [index, record] of records.entries()) {
    const at = new Date(Date.UTC(2026, 10, 21, 0, 0, number + index)).toISOString();
    const line = { ...record, uuid: `u${number + index}`, sessionId: SESSION, timestamp: at };
    appendFileSync(join(folder, `${SESSION}.jsonl`), `${JSON.stringify(line)}\n`);
  }
  return sourceOf(homeOf("claude").adapter, home, SESSION);
}
