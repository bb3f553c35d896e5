import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ConversationMessage } from "../../../../../core/protocol/conversations.ts";
import type { SearchQuery } from "../../../../../core/protocol/history-search.ts";
import { allAdapters } from "../../../../../main/agents/adapters/all.ts";
import { Conversations } from "../../../../../main/agents/conversations.ts";
import { masterKey } from "../../../../../main/shells/history/segment.ts";
import {
  ConversationIndex,
  type ConversationReader,
} from "../../../../../main/shells/history-index/conversation-index.ts";
import { isDamage, openIndex, Sealer } from "../../../../../main/shells/history-index/database.ts";
import { FilterRows } from "../../../../../main/shells/history-index/filter-rows.ts";
import { RedactionRows } from "../../../../../main/shells/history-index/redaction-rows.ts";
import { plantedSecrets } from "../../../../support/planted-secrets.ts";

const SECRET = Buffer.alloc(32, 7);

function message(number: number, text: string, more: Partial<ConversationMessage> = {}): ConversationMessage {
  const at = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString();
  return { id: `m${number}`, cursor: `c${number}`, role: "user", kind: "prompt", at, text, turn: 0, ...more };
}

function query(text: string, more: Partial<SearchQuery> = {}): SearchQuery {
  return { query: text, regex: false, in: "conversations", limit: 50, ...more };
}

/** An index over conversations in memory, by the session's id; `reads` are the pages that were read. */
function indexLab() {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-conversations-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "index.db");
  const all = new Map<string, { changedAt: number; messages: ConversationMessage[] }>();
  const reads: string[] = [];
  const reader: ConversationReader = {
    stored: async () =>
      [...all].map(([agentSessionId, { changedAt }]) => ({
        agentType: "claude",
        agentSessionId,
        changedAt,
        cwd: "/work",
      })),
    async page({ agentSessionId }, { after, limit }) {
      reads.push(`${agentSessionId} ${after}`);
      const messages = all.get(agentSessionId)?.messages ?? [];
      const from = messages.findIndex(({ cursor }) => cursor === after) + 1;
      return { messages: messages.slice(from, from + limit), hasMore: from + limit < messages.length };
    },
  };
  const open = () => {
    const database = openIndex(file);
    onTestFinished(() => void database.close());
    const redactions = new RedactionRows(database);
    return {
      index: new ConversationIndex(database, {
        sealer: new Sealer(masterKey(SECRET)),
        filters: new FilterRows(database, masterKey(SECRET)),
        redactions,
      }),
      database,
    };
  };
  return { folder, all, reads, reader, open };
}

test("a word of two characters is found in what was said", async () => {
  const { all, reader, open } = indexLab();
  const { index } = open();
  all.set("a", { changedAt: 1, messages: [message(1, "設定を変更してください"), message(2, "done")] });
  await index.update(reader);
  expect(index.search(query("変更")).map(({ id }) => id)).toEqual(["c1"]);
});

test("what was said, called and answered is found, the latest first, with its conversation and the lines around it", async () => {
  const { all, reader, open } = indexLab();
  const { index } = open();
  const tool = { id: "t", name: "Bash", input: { command: "make Needle" }, result: "one\nthe needle here\nthree" };
  all.set("a", {
    changedAt: 1,
    messages: [message(1, "Find the NEEDLE"), message(2, "", { role: "tool", kind: "tool", tool })],
  });
  all.set("b", { changedAt: 1, messages: [message(3, "no needles, but a needle")] });
  await index.update(reader);
  expect(index.search(query("needle")).map(({ id, line }) => [id, line])).toEqual([
    ["c3", "no needles, but a needle"],
    ["c2", 'Bash {"command":"make Needle"}'],
    ["c1", "Find the NEEDLE"],
  ]);
  const [hit] = index.search(query("needle here"));
  expect(hit).toMatchObject({
    in: "conversations",
    line: "the needle here",
    from: 4,
    before: ['Bash {"command":"make Needle"}', "one"],
    after: ["three"],
    conversation: { agentType: "claude", agentSessionId: "a", title: "Find the NEEDLE", cwd: "/work" },
  });
  expect(index.search(query("needle", { limit: 1 }))).toHaveLength(1);
  const until = new Date(Date.UTC(2026, 0, 1) + 2000).toISOString();
  expect(index.search(query("needle", { until })).map(({ id }) => id)).toEqual(["c1"]);
});

test("a message of the longest texts in Chinese or Japanese is found, and holds up no search", async () => {
  const { all, reader, open } = indexLab();
  const { index } = open();
  const long = "検索".repeat(200_000);
  const tool = { id: "t", name: "Write", input: { content: `${long}終わり` }, result: `needle ${long}` };
  const call = message(2, long, { role: "tool", kind: "tool", tool });
  all.set("a", { changedAt: 1, messages: [message(1, "needle"), call] });
  await index.update(reader);
  expect(index.search(query("needle")).map(({ id }) => id)).toEqual(["c2", "c1"]);
});

test("only what has changed is read, from where the index has got, and a call gets its result later", async () => {
  const { all, reads, reader, open } = indexLab();
  const { index, database } = open();
  const call = { id: "t", name: "Bash", input: { command: "sleep" } };
  const messages = [message(1, "first words"), message(2, "", { role: "tool", kind: "tool", tool: call })];
  // File systems keep less than a millisecond.
  all.set("a", { changedAt: 1_790_000_000_000.123, messages });
  await index.update(reader);
  await index.update(reader);
  expect(reads).toEqual(["a start"]);

  messages[1] = message(2, "", { role: "tool", kind: "tool", tool: { ...call, result: "late result" } });
  messages.push(message(3, "third words"));
  all.set("a", { changedAt: 1_790_000_000_000.456, messages });
  database.close();
  // Another thread goes on where the last one was.
  const { index: next } = open();
  await next.update(reader);
  expect(reads).toEqual(["a start", "a c1"]);
  expect(next.search(query("late result"))).toHaveLength(1);
  expect(next.search(query("words")).map(({ id }) => id)).toEqual(["c3", "c1"]);
  expect(next.search(query("sleep"))).toHaveLength(1);
});

test("a long conversation is read page by page, and one that was interrupted is read on", async () => {
  const { all, reads, reader, open } = indexLab();
  const { index } = open();
  const messages = Array.from({ length: 1200 }, (_, number) => message(number, `word number ${number}.`));
  all.set("a", { changedAt: 1, messages });
  let pages = 0;
  const failing: ConversationReader = {
    ...reader,
    page: async (...wanted) => {
      pages += 1;
      if (pages === 2) throw new Error("gone for a moment");
      return reader.page(...wanted);
    },
  };
  await index.update(failing);
  expect(index.search(query("word number", { limit: 1000 }))).toHaveLength(500);
  await index.update(reader);
  expect(reads).toEqual(["a start", "a c499", "a c999"]);
  expect(index.search(query("number 1199."))).toHaveLength(1);
  expect(index.search(query("word number", { limit: 2000 }))).toHaveLength(1200);
});

test("a conversation whose last messages were held back is read again, although its transcript has not changed", async () => {
  const { all, reader, open } = indexLab();
  const { index } = open();
  all.set("a", { changedAt: 1, messages: [message(1, "first words"), message(2, "second words")] });
  const holding: ConversationReader = {
    ...reader,
    page: async (...wanted) => {
      const { messages } = await reader.page(...wanted);
      return { messages: messages.filter(({ cursor }) => cursor !== "c2"), hasMore: true };
    },
  };
  await index.update(holding);
  expect(index.search(query("words")).map(({ id }) => id)).toEqual(["c1"]);
  await index.update(reader);
  expect(index.search(query("words")).map(({ id }) => id)).toEqual(["c2", "c1"]);
});

test("damage of the index ends an update, and is no transcript that cannot be read", async () => {
  const { all, reader, open } = indexLab();
  const { index, database } = open();
  all.set("a", { changedAt: 1, messages: [message(1, "some words")] });
  await index.update(reader);
  // Not what was written: the text of a row is no UTF-8.
  database.exec("UPDATE conversations SET cursor = CAST(x'ff' AS TEXT)");
  await expect(index.update(reader)).rejects.toSatisfy(isDamage);
});

test("a conversation whose transcript is gone is found no more, and the files hold no text in clear", async () => {
  const { all, reader, open, folder } = indexLab();
  const { index } = open();
  all.set("a", { changedAt: 1, messages: [message(1, "an unmistakable secret sentence")] });
  await index.update(reader);
  expect(index.search(query("secret"))).toHaveLength(1);
  for (const name of readdirSync(folder)) {
    expect(readFileSync(join(folder, name)).includes("unmistakable"), name).toBe(false);
  }
  all.clear();
  await index.update(reader);
  expect(index.search(query("secret"))).toEqual([]);
});

test("what the readers of six kinds tell is found, in the conversation that has it", async () => {
  const { open, folder } = indexLab();
  const fixtures = join(import.meta.dirname, "../../../../fixtures/agents");
  for (const kind of ["claude", "codex", "gemini", "qwen", "copilot", "opencode"])
    cpSync(join(fixtures, kind), folder, { recursive: true });
  const conversations = new Conversations({
    adapters: allAdapters(),
    accounts: { source: (adapter, home, sessionId) => ({ adapter, home, sessionId, log: { problem: () => {} } }) },
    price: async () => () => ({ cost: 0, basis: "unpriced" }),
    runs: () => [],
    env: (name) => (name === "HOME" ? folder : undefined),
  });
  const { index } = open();
  await index.update({
    stored: () => conversations.stored(),
    page: (name, wanted) => conversations.page(name, wanted, () => []),
  });
  const kinds = new Set<string>();
  for (const { agentType, agentSessionId } of await conversations.stored()) {
    const { messages } = await conversations.page({ agentType, agentSessionId }, { limit: 100 }, () => []);
    const line = messages.map(({ text }) => text.split("\n")[0] ?? "").find(({ length }) => length > 5 && length < 100);
    if (line === undefined) continue;
    kinds.add(agentType);
    const hits = index.search(query(line, { limit: 1000 }));
    expect(hits.some(({ conversation }) => conversation?.agentSessionId === agentSessionId)).toBe(true);
  }
  expect(kinds.size).toBe(6);
});

test("planted secrets are hidden in messages and are not found", async () => {
  const { all, reader, open, folder } = indexLab();
  const { index } = open();
  const planted = plantedSecrets();
  all.set("a", { changedAt: 1, messages: planted.map(([name, text], at) => message(at, `planted ${name}: ${text}`)) });
  await index.update(reader);
  const hits = JSON.stringify(index.search(query("planted", { limit: 100 })));
  expect(JSON.parse(hits)).toHaveLength(planted.length);
  const content = Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name)))).toString("latin1");
  for (const line of planted.flatMap(([, , secret]) => secret.split("\n"))) {
    expect(hits).not.toContain(line);
    expect(content).not.toContain(line);
    expect(index.search(query(line))).toEqual([]);
  }
});

test("a title shows no part of a secret, wherever it is cut", async () => {
  const { all, reader, open } = indexLab();
  const { index } = open();
  const key = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  for (let shown = 6; shown < key.length; shown++) {
    const before = "needle ".padEnd(200 - shown, "-");
    all.set(`s${shown}`, { changedAt: 1, messages: [message(1, `${before.slice(0, -1)} ${key} after it`)] });
  }
  await index.update(reader);
  const hits = index.search(query("needle"));
  expect(hits).toHaveLength(all.size);
  for (const { conversation } of hits) expect(conversation?.title).toMatch(/^needle -+ ghp_•+$/);
});
