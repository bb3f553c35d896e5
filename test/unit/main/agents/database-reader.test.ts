import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ParsePurpose } from "../../../../main/agents/adapters/adapter.ts";
import { opencodeAdapter } from "../../../../main/agents/adapters/opencode.ts";
import { DatabaseReader } from "../../../../main/agents/database-reader.ts";
import { createPricing } from "../../../../main/agents/pricing.ts";
import { openAccount } from "../../../../main/agents/session-account.ts";

const fixture = join(import.meta.dirname, "../../../fixtures/agents/opencode/.local/share/opencode/opencode.db");
const session = "ses_dfdb66f76ffe97O3WlkcOgWHjw";

let home: string;
let path: string;
let problems: string[];
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-database-")));
  path = join(home, "opencode.db");
  problems = [];
  copyFileSync(fixture, path);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(home, { recursive: true, force: true });
});

const source = () => ({
  adapter: opencodeAdapter(),
  home,
  sessionId: session,
  price: createPricing(() => []),
  log: { problem: ({ reason }: { reason: string }) => void problems.push(reason) },
});

function reader(at = path, purpose: ParsePurpose = "usage") {
  const { database } = opencodeAdapter();
  if (database === undefined) throw new Error("opencode has a database");
  return new DatabaseReader(at, { root: home, session, transcript: database, purpose }, ({ reason }) =>
    problems.push(reason),
  );
}

/** Adds an answer to a session, as the agent does. */
function addAnswer(database: Database.Database, id: string, at: number, { of = session, output = 10 } = {}): void {
  const data = {
    role: "assistant",
    time: { created: at, completed: at },
    tokens: { input: 100, output, reasoning: 0, cache: { read: 0, write: 0 } },
    modelID: "gpt-5.4",
    providerID: "openai",
    cost: 0.5,
    finish: "stop",
  };
  database
    .prepare("INSERT OR REPLACE INTO message (id, session_id, time_created, time_updated, data) VALUES (?, ?, ?, ?, ?)")
    .run([id, of, at, at, JSON.stringify(data)]);
}

test("rows are read while the agent writes to the database's log, each once, and changed ones again", async () => {
  const writer = new Database(path);
  try {
    writer.pragma("journal_mode = WAL");
    const account = await openAccount(source());
    expect(await account.update()).toBe(true);
    expect(account.ledger.counted).toBe(2);
    const at = 1_795_334_800_000;
    addAnswer(writer, "msg_a", at);
    addAnswer(writer, "msg_b", at);
    writer.exec("BEGIN IMMEDIATE");
    expect(await account.update()).toBe(true);
    expect(account.ledger.counted).toBe(4);
    expect(await account.update()).toBe(false);
    writer.exec("COMMIT");
    addAnswer(writer, "msg_c", at);
    addAnswer(writer, "msg_b", at + 1, { output: 50 });
    await account.update();
    expect(account.ledger.counted).toBe(5);
    expect(account.usage().output).toBe(190 + 10 + 50 + 10);
    expect(account.status).toMatchObject({ status: "idle", detail: "answer ended" });
  } finally {
    writer.close();
  }
  expect(problems).toEqual([]);
});

test("reading changes nothing in the database", async () => {
  const before = readFileSync(path);
  await (await openAccount(source())).update();
  expect(readFileSync(path).equals(before)).toBe(true);
});

test("thousands of rows of one moment are read in turns with the event loop", async () => {
  const writer = new Database(path);
  writer.exec("BEGIN");
  for (let index = 0; index < 3000; index += 1) addAnswer(writer, `msg_x${index}`, 1_795_334_800_000);
  writer.exec("COMMIT");
  writer.close();
  let turns = 0;
  const count = () => {
    turns += 1;
    if (turns < 1000) setImmediate(count);
  };
  setImmediate(count);
  const seen: unknown[] = [];
  expect(await reader().read((record) => seen.push(record))).toBe(true);
  expect(seen.length).toBe(3000 + 3 + 1);
  expect(turns).toBeGreaterThan(4);
});

test("a record of more values than any agent writes is skipped before it is parsed, and the others are read", async () => {
  const writer = new Database(path);
  const add = (id: string, data: string) =>
    writer
      .prepare("INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES (?, ?, 9e12, 9e12, ?)")
      .run([id, session, data]);
  add("msg_a", `{"role":"assistant","x":[${"[],".repeat(100_000)}0]}`);
  for (let index = 0; index < 40; index += 1) {
    add(`msg_b${index}`, `{"role":"assistant","x":"${"x".repeat(900_000)}"}`);
  }
  writer.close();
  const parse = vi.spyOn(JSON, "parse");
  const seen: unknown[] = [];
  expect(await reader().read((record) => seen.push(record))).toBe(true);
  expect(seen).toHaveLength(3 + 1 + 40);
  expect(parse.mock.calls.filter(([text]) => text.includes("[],[],"))).toEqual([]);
  expect(problems).toEqual(["record of too many values skipped"]);
});

test("a sub-agent's session and those below it count for the one that the user talks to, and are not listed", async () => {
  const writer = new Database(path);
  writer.exec(`INSERT INTO session (id, project_id, parent_id, slug, directory, title, version, time_created, time_updated)
    VALUES ('ses_child', 'global', '${session}', 's', '/d', 't', '1', 1, 2),
      ('ses_grandchild', 'global', 'ses_child', 's', '/d', 't', '1', 1, 2)`);
  addAnswer(writer, "msg_sub", 1_795_334_800_000, { of: "ses_child" });
  addAnswer(writer, "msg_below", 1_795_334_800_000, { of: "ses_grandchild" });
  writer.close();
  const account = await openAccount(source());
  await account.update();
  expect(account.ledger.counted).toBe(4);
  expect(opencodeAdapter().sessions(home)).not.toContain("ses_child");
  const events: string[] = [];
  await reader(path, "events").read((record) => void events.push(JSON.stringify(record)));
  expect(events.some((event) => event.includes("msg_below"))).toBe(true);
});

test("a fork counts what it has used itself, and not the messages that it copied with their times", async () => {
  const writer = new Database(path);
  addAnswer(writer, "msg_copy", 1_795_334_600_000);
  addAnswer(writer, "msg_own", 1_795_334_800_000);
  writer.exec(`UPDATE session SET cost = cost + 1 WHERE id = '${session}'`);
  writer.close();
  const account = await openAccount(source());
  await account.update();
  expect(account.ledger.counted).toBe(3);
  expect(account.usage().output).toBe(190 + 10);
  expect(account.reported).toBeCloseTo(0.0156 + 0.5);
  const events: string[] = [];
  await reader(path, "events").read((record) => void events.push(JSON.stringify(record)));
  const hasTokens = (id: string) => events.some((event) => event.includes(id) && event.includes('"tokens"'));
  expect([hasTokens("msg_copy"), hasTokens("msg_own")]).toEqual([false, true]);
});

test("a view or a virtual table in the place of a table is not read, and said once", async () => {
  const writer = new Database(path);
  writer.exec(`DROP TABLE message; CREATE VIEW message AS
    WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
    SELECT 'm' AS id, '${session}' AS session_id, 1 AS time_created, x AS time_updated, '{}' AS data FROM n;`);
  writer.close();
  const one = reader();
  expect(await one.read(() => expect.unreachable())).toBe(false);
  expect(await one.read(() => expect.unreachable())).toBe(false);
  expect(problems).toEqual(["database cannot be read: it has no table message"]);
});

test("a file that is no database, a link and a folder in its place are not read", async () => {
  writeFileSync(path, "no database, but long enough to have a header of one: ".repeat(20));
  expect(await reader().read(() => expect.unreachable())).toBe(false);
  expect(problems).toHaveLength(1);
  const linked = join(home, "linked.db");
  symlinkSync(fixture, linked);
  expect(await reader(linked).read(() => expect.unreachable())).toBe(false);
  mkdirSync(join(home, "folder.db"));
  expect(await reader(join(home, "folder.db")).read(() => expect.unreachable())).toBe(false);
  expect(await reader(fixture).read(() => expect.unreachable())).toBe(false);
  expect(problems).toHaveLength(1);
  expect(opencodeAdapter().sessions(home)).toEqual([]);
});

test.each([
  ["a record that is no UTF-8", "data = CAST(x'7b2272ff223a317d' AS TEXT)"],
  ["an id that is no UTF-8", "id = CAST(x'61ff' AS TEXT)"],
  [
    "a text that is no UTF-8 in the place of a time",
    "time_created = CAST(x'ff' AS TEXT), time_updated = CAST(x'ff' AS TEXT)",
  ],
  ["half a character in a field of its JSON", `data = '{"role":"\\ud83d","mode":"\\ud83d","modelID":"\\ud83d"}'`],
])("a message with %s ends nothing, and the others are read", async (_what, change) => {
  const writer = new Database(path);
  addAnswer(writer, "msg_a", 1_795_334_800_000);
  addAnswer(writer, "msg_b", 1_795_334_800_000);
  writer.exec(`UPDATE message SET ${change} WHERE id = 'msg_a'`);
  writer.exec("INSERT INTO part SELECT 'prt_' || id, id, session_id, 1795334800000, 1, '{}' FROM message");
  writer.close();
  const account = await openAccount(source());
  await account.update();
  expect(account.ledger.counted).toBeGreaterThanOrEqual(3);
  const events: string[] = [];
  await reader(path, "events").read((record) => void events.push(JSON.stringify(record)));
  expect(events.some((event) => event.includes("msg_b"))).toBe(true);
});

test("a session whose folder is no UTF-8 ends nothing, and the others are listed", () => {
  const writer = new Database(path);
  writer.exec(`INSERT INTO session SELECT 'ses_other', project_id, workspace_id, parent_id, slug, CAST(x'2fff' AS TEXT), path, title,
      version, share_url, summary_additions, summary_deletions, summary_files, summary_diffs, metadata, cost, tokens_input,
      tokens_output, tokens_reasoning, tokens_cache_read, tokens_cache_write, revert, permission, agent, model, time_created,
      time_updated, time_compacting, time_archived FROM session WHERE id = '${session}'`);
  writer.close();
  expect(opencodeAdapter().sessions?.(home)).toEqual(expect.arrayContaining([session, "ses_other"]));
});
