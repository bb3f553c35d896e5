import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { allAdapters } from "../../../../main/agents/adapters/all.ts";
import { Conversations } from "../../../../main/agents/conversations.ts";
import { createPricing } from "../../../../main/agents/pricing.ts";
import type { AgentRun } from "../../../../main/agents/usage-store.ts";

const fixtures = join(import.meta.dirname, "../../../fixtures/agents");
const TYPED = "3374e44a-3626-41a4-8b49-1220ae11de36";
const FORKED = "22222222-2222-4222-8222-222222222222";

let home: string;

/** A user's home folder with the transcripts of all kinds. */
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "conversations-"));
  for (const kind of ["claude", "codex", "gemini", "qwen", "copilot", "opencode"])
    cpSync(join(fixtures, kind), home, { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function conversationsOf(runs: readonly AgentRun[] = []): Conversations {
  return new Conversations({
    adapters: allAdapters(),
    accounts: {
      source: (adapter, from, sessionId) => ({ adapter, home: from, sessionId, log: { problem: () => {} } }),
    },
    price: async () => createPricing(() => []),
    runs: () => runs.map((run) => ({ run, status: "working" })),
    env: (name) => (name === "HOME" ? home : undefined),
  });
}

function runOf(agentType: string, sessionId: string, folder: string): AgentRun {
  const times = { startedAt: "2026-11-21T00:00:00.000Z", lastActivityAt: "2026-11-21T00:00:00.000Z" };
  return { agentType, sessionId, home: folder, session: "s", shellId: 3, cwd: "/w", model: "m", ...times } as AgentRun;
}

const transcript = () => join(home, ".claude/projects/-home-dev-my-proj-b", `${TYPED}.jsonl`);

test("lists the transcripts of all kinds, the one that was written last first, with folder and first prompt", async () => {
  utimesSync(transcript(), new Date(), new Date(Date.now() + 60_000));
  const listed = await conversationsOf().list({ limit: 500 });
  expect(listed[0]).toMatchObject({
    agentType: "claude",
    sessionId: TYPED,
    cwd: "/home/dev/my.proj_b",
    title: "Do it. ASK{touch made-by-stub; echo done} SAY{Finished the turn.}",
    startedAt: "2026-11-21T02:55:47.933Z",
    model: "claude-sonnet-4-6",
    status: "ended",
  });
  expect(listed).toHaveLength(5 + 4 + 3 + 2 + 2 + 2);
  expect(listed.filter(({ title }) => title === "")).toEqual([]);
  expect(listed.filter(({ cwd }) => cwd === undefined)).toEqual([]);
  const times = listed.map(({ changedAt }) => changedAt);
  expect(times).toEqual(times.toSorted().toReversed());
});

test("lists only a kind, a folder and what is in it, and what was written before a time", async () => {
  const conversations = conversationsOf();
  const idsOf = async (wanted: Partial<Parameters<Conversations["list"]>[0]>) =>
    (await conversations.list({ limit: 500, ...wanted })).map(({ sessionId }) => sessionId);
  expect(await idsOf({ agentType: "qwen" })).toHaveLength(2);
  expect(await idsOf({ cwd: "/home/dev/proj-a" })).toHaveLength(3);
  expect(await idsOf({ cwd: "/home/dev/" })).toHaveLength(18);
  expect(await idsOf({ cwd: "/home/dev/pro" })).toEqual([]);
  expect(await idsOf({ limit: 2 })).toHaveLength(2);
  utimesSync(transcript(), new Date(), new Date("2026-01-01T00:00:00.000Z"));
  expect(await idsOf({ before: "2026-01-01T00:00:01.000Z" })).toEqual([TYPED]);
});

test.each(["claude", "codex", "gemini", "qwen", "copilot", "opencode", "acp"])(
  "a name that leads out of the folders of %s names no conversation",
  async (agentType) => {
    const outside = join(home, "secret.jsonl");
    cpSync(transcript(), outside);
    for (const levels of ["..", "../..", "../../..", "../../../..", "..\\.."]) {
      const name = { agentSessionId: `${levels}/secret`, agentType };
      await expect(conversationsOf().page(name, { limit: 5 }, () => [])).rejects.toMatchObject({
        code: "unknown_agent_session",
      });
    }
  },
);

test("an agent in a shell has its state and shell, and a transcript in a folder of its own is found by it", async () => {
  const other = mkdtempSync(join(tmpdir(), "conversations-other-"));
  try {
    cpSync(transcript(), join(other, "projects/-p", `${TYPED}.jsonl`));
    rmSync(transcript());
    expect((await conversationsOf().list({ limit: 500 })).map(({ sessionId }) => sessionId)).not.toContain(TYPED);
    const conversations = conversationsOf([runOf("claude", TYPED, other)]);
    const listed = await conversations.list({ limit: 500 });
    expect(listed.find(({ sessionId }) => sessionId === TYPED)).toMatchObject({ status: "working", shellId: 3 });
    const page = await conversations.page({ agentSessionId: TYPED }, { limit: 5 }, () => []);
    expect(page).toMatchObject({ agentType: "claude", sessionId: TYPED, hasMore: false });
    expect(page.messages).toHaveLength(5);
  } finally {
    rmSync(other, { recursive: true });
  }
});

test("a transcript that is not there any more leaves what the relay has kept, and says so", async () => {
  const kept = [{ id: "q", role: "system", kind: "question", at: "2026-11-21T00:00:00.000Z", text: "Run?" }] as const;
  const conversations = conversationsOf([runOf("claude", "gone", join(home, ".claude"))]);
  const page = await conversations.page({ agentSessionId: "gone" }, { limit: 5 }, () => kept);
  expect(page.messages).toMatchObject([{ text: "Run?" }]);
  expect(page.incomplete).toContain("not there any more");
});

test("refuses what is no conversation and no cursor, and asks for the kind where two have one of the id", async () => {
  const conversations = conversationsOf([runOf("acp", TYPED, home)]);
  const page = (agentSessionId: string, more: object = {}) =>
    conversations.page({ agentSessionId, ...more }, { limit: 5, ...more }, () => []);
  await expect(page("nobody")).rejects.toMatchObject({ code: "unknown_agent_session" });
  await expect(page("../../etc/passwd")).rejects.toMatchObject({ code: "unknown_agent_session" });
  await expect(page(TYPED)).rejects.toMatchObject({ code: "invalid_params" });
  await expect(page(TYPED, { agentType: "claude" })).resolves.toMatchObject({ agentType: "claude" });
  await expect(page(FORKED, { after: "nonsense" })).rejects.toMatchObject({ code: "invalid_params" });
  await expect(page(FORKED, { after: "start", before: "1.1.m" })).rejects.toMatchObject({ code: "invalid_params" });
  const text = { message: "1.1.m", part: "text", offset: 0 } as const;
  await expect(conversations.text({ agentSessionId: FORKED }, text)).rejects.toMatchObject({ code: "invalid_params" });
});

test("what a fork shares with an older conversation is told in both, and counted in the older one", async () => {
  const { messages } = await conversationsOf().page({ agentSessionId: FORKED }, { limit: 100 }, () => []);
  const shared = messages.filter(({ turn, role }) => turn < 3 && role !== "system");
  expect(shared.length).toBeGreaterThan(5);
  expect(shared.filter(({ tokenUsage }) => tokenUsage !== undefined)).toEqual([]);
  expect(messages.filter(({ tokenUsage }) => tokenUsage !== undefined)).toHaveLength(1);
});

test("a wait for what is said next ends with it, and tells of nothing that was there", async () => {
  const conversations = conversationsOf();
  const name = { agentSessionId: TYPED };
  const { after } = await conversations.page(name, { limit: 1 }, () => []);
  const next = conversations.page(name, { limit: 5, after: after ?? "", wait: 60 }, () => []);
  const last = readFileSync(transcript(), "utf8")
    .trimEnd()
    .split("\n")
    .find((line) => line.includes("interrupted by user"));
  const said = { ...JSON.parse(last ?? ""), uuid: "next", timestamp: "2026-11-21T03:00:00.000Z" };
  appendFileSync(transcript(), `${JSON.stringify(said)}\n`);
  expect((await next).messages).toMatchObject([{ at: "2026-11-21T03:00:00.000Z" }]);
});

test("a wait ends with a question that the relay keeps, with its time, and with its caller", async () => {
  const conversations = conversationsOf();
  const name = { agentSessionId: TYPED };
  const { after } = await conversations.page(name, { limit: 1 }, () => []);
  const wanted = { limit: 5, after: after ?? "" };
  const question = { id: "q", role: "system", kind: "question", at: "2026-11-21T03:00:00.000Z", text: "Run?" } as const;
  let looks = 0;
  const asked = conversations.page(name, { ...wanted, wait: 60 }, () => (looks++ < 2 ? [] : [question]));
  expect((await asked).messages).toMatchObject([{ text: "Run?" }]);
  expect(await conversations.page(name, { ...wanted, wait: 0.01 }, () => [])).toMatchObject({ messages: [], after });
  const gone = AbortSignal.abort();
  expect((await conversations.page(name, { ...wanted, wait: 60 }, () => [], { gone })).messages).toEqual([]);
});

test("a wait ends with a message that was held back, although nothing else is written", async () => {
  const conversations = conversationsOf([runOf("claude", "gone", join(home, ".claude"))]);
  const at = new Date(Date.now() - 800).toISOString();
  const question = { id: "q", role: "system", kind: "question", at, text: "Run?" } as const;
  const wanted = { limit: 5, after: "start", wait: 60 };
  const page = await conversations.page({ agentSessionId: "gone" }, wanted, () => [question]);
  expect(page.messages).toMatchObject([{ text: "Run?" }]);
});

test("a wait without a place after which messages are waited for is refused", async () => {
  const page = conversationsOf().page({ agentSessionId: TYPED }, { limit: 5, wait: 1 }, () => []);
  await expect(page).rejects.toMatchObject({ code: "invalid_params" });
});

test("reads a text by parts", async () => {
  const conversations = conversationsOf();
  const { messages } = await conversations.page({ agentSessionId: FORKED }, { after: "start", limit: 1 }, () => []);
  const [first] = messages;
  const wanted = { message: first?.cursor ?? "", part: "text", offset: 6 } as const;
  const text = await conversations.text({ agentSessionId: FORKED }, wanted);
  expect(text).toEqual({ text: first?.text.slice(6), length: first?.text.length, next: null });
});

test("hides a secret in a title and in a text, also where the title or the part ends within it", async () => {
  const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  const prompt = `${"x".repeat(180)} ${token} and more`;
  const [first = ""] = readFileSync(transcript(), "utf8")
    .split("\n")
    .filter((line) => line.includes("Do it. ASK"));
  const said = first.replace("Do it. ASK{touch made-by-stub; echo done} SAY{Finished the turn.}", prompt);
  expect(said).toContain(token);
  writeFileSync(transcript(), `${said}\n`);
  const conversations = conversationsOf();
  const titleOf = async (options?: { hidesSecrets: boolean }) =>
    (await conversations.list({ limit: 500 }, options)).find(({ sessionId }) => sessionId === TYPED)?.title;
  expect(await titleOf()).toBe(prompt.slice(0, 200));
  expect(await titleOf({ hidesSecrets: true })).toBe(`${"x".repeat(180)} ghp_${"•".repeat(15)}`);

  const { messages } = await conversations.page({ agentSessionId: TYPED }, { limit: 5 }, () => []);
  const message = messages.find(({ text }) => text.includes(token))?.cursor ?? expect.unreachable("the prompt");
  const wanted = { message, part: "text", offset: 195 } as const;
  const read = await conversations.text({ agentSessionId: TYPED }, wanted, { hidesSecrets: true });
  expect(read).toEqual({ text: `${"•".repeat(26)} and more`, length: prompt.length, next: null });
});
