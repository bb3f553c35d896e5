import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { allAdapters } from "../../../../main/agents/adapters/all.ts";
import type { PricedCall } from "../../../../main/agents/ledger.ts";
import { createPricing } from "../../../../main/agents/pricing.ts";
import { readDetails, turnsOf } from "../../../../main/agents/session-details.ts";

const fixtures = join(import.meta.dirname, "../../../fixtures/agents");
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "facts-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Returns the details of a session below the home folder. */
function details(kind: string, sessionId: string, known: readonly PricedCall[] = []) {
  const adapter = allAdapters().find((one) => one.kind === kind);
  const folder = adapter?.home((name) => (name === "HOME" ? home : undefined));
  if (adapter === undefined || folder === undefined) throw new Error(`no adapter for ${kind}`);
  const log = { problem: () => undefined };
  return readDetails({ adapter, home: folder, sessionId, price: createPricing(() => []), log }, known);
}

function write(path: string, records: readonly object[]): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

/** What a tool that has changed a file shows, as Gemini CLI 0.61.0 records it. */
const changed = (added: number, removed: number) => ({
  fileDiff: "Index: old.txt\n",
  fileName: "old.txt",
  diffStat: { model_added_lines: added, model_removed_lines: removed, user_added_lines: 0, user_removed_lines: 0 },
});

describe("the facts of a session", () => {
  test("Gemini CLI: the lines that its tools have changed, each call once", async () => {
    const sessionId = "5bb6df6d-3901-420d-8bf7-1d4f05e68443";
    const answer = (id: string, ...toolCalls: object[]) => ({
      id,
      timestamp: "2026-11-23T01:25:00.000Z",
      type: "gemini",
      content: "",
      model: "gemini-2.5-pro",
      tokens: { input: 10, output: 2 },
      toolCalls,
    });
    const call = (id: string, status: string, resultDisplay: unknown) => ({
      id,
      name: "write_file",
      status,
      resultDisplay,
    });
    const first = answer("m1", call("c1", "success", changed(1, 3)), call("c2", "cancelled", changed(50, 50)));
    write(".gemini/tmp/proj/chats/session-2026-11-23T01-25-5bb6df6d.jsonl", [
      { sessionId, projectHash: "x", startTime: "2026-11-23T01:24:59.000Z", kind: "main" },
      first,
      first,
      answer("m2", call("c3", "success", changed(4, 0)), call("c4", "success", "plain")),
      answer("m3", call("c5", "success", { diffStat: { model_added_lines: -1, model_removed_lines: 1e300 } })),
    ]);
    expect(await details("gemini", sessionId)).toMatchObject({ linesAdded: 5, linesRemoved: 3 });
  });

  test("Qwen Code: its branch, and the lines that its tools have changed", async () => {
    const sessionId = "bf7e30af-5e1a-44c5-9042-a58ba8e59d23";
    const result = (uuid: string, status: string, resultDisplay: unknown) => ({
      uuid,
      sessionId,
      timestamp: "2026-11-23T01:25:00.000Z",
      type: "tool_result",
      cwd: "/home/dev/qwen-proj",
      gitBranch: "topic/x",
      message: { parts: [] },
      toolCallResult: { callId: uuid, status, resultDisplay },
    });
    write(`.qwen/projects/-home-dev-qwen-proj/chats/${sessionId}.jsonl`, [
      result("a", "success", changed(2, 1)),
      result("b", "error", changed(9, 9)),
      result("c", "success", changed(1, 0)),
    ]);
    const told = await details("qwen", sessionId);
    expect(told).toMatchObject({ branch: "topic/x", linesAdded: 3, linesRemoved: 1 });
  });

  test("Copilot CLI: its branch and effort, and the changed lines of all its runs", async () => {
    cpSync(join(fixtures, "copilot"), home, { recursive: true });
    const sessionId = "0c54d057-0bc9-48a6-ab25-b33f353aace9";
    const path = join(home, ".copilot", "session-state", sessionId, "events.jsonl");
    const end = (id: string, linesAdded: number, linesRemoved: number) =>
      `${JSON.stringify({ type: "session.shutdown", id, data: { codeChanges: { linesAdded, linesRemoved } } })}\n`;
    expect(await details("copilot", sessionId)).toMatchObject({
      branch: "master",
      effort: "medium",
      linesAdded: 0,
      linesRemoved: 0,
    });
    writeFileSync(path, end("x", 7, 2) + end("y", 1, 1), { flag: "a" });
    expect(await details("copilot", sessionId)).toMatchObject({ linesAdded: 8, linesRemoved: 3 });
  });

  test("opencode: its mode, and the lines that its turns have changed", async () => {
    cpSync(join(fixtures, "opencode"), home, { recursive: true });
    const database = new Database(join(home, ".local", "share", "opencode", "opencode.db"));
    const rows = (sql: string): unknown[] => database.prepare(sql).all([]);
    const [row] = rows("SELECT session_id AS id FROM message LIMIT 1");
    const sessionId = typeof row === "object" && row !== null && "id" in row ? String(row.id) : "";
    database.exec(`UPDATE message SET data = json_set(data, '$.summary', json(
      '{"diffs":[{"file":"a","additions":1,"deletions":0},{"file":"b","additions":2,"deletions":3},"no object"]}'))
      WHERE session_id = '${sessionId}' AND json_extract(data, '$.role') = 'user'`);
    const [prompts] = rows(`SELECT count(*) AS n FROM message WHERE session_id = '${sessionId}'
      AND json_extract(data, '$.role') = 'user'`);
    database.close();
    const count = typeof prompts === "object" && prompts !== null && "n" in prompts ? Number(prompts.n) : 0;
    expect(count).toBeGreaterThan(0);
    const told = await details("opencode", sessionId);
    expect(told).toMatchObject({ mode: "build", linesAdded: 3 * count, linesRemoved: 3 * count });
  });
});

test("a call that was counted keeps the price that it was counted with", async () => {
  cpSync(join(fixtures, "opencode"), home, { recursive: true });
  const counted = { id: "msg_2024998d8001g0aXj5Zqs27wu2", model: "gpt-5.4", at: "2026-11-22T08:05:09.770Z" };
  const known = [{ ...counted, input: 2400, output: 90, cached: 1000, cost: 5, basis: "listed" as const }];
  const told = await details("opencode", "ses_dfdb66f76ffe97O3WlkcOgWHjw", known);
  expect(told.tokenUsage).toMatchObject({ input: 4900, output: 190 });
  expect(told.tokenUsage.cost).toBeCloseTo(5 + 0.008);
});

test("long texts of a transcript are cut with an ellipsis, and not within a character", async () => {
  const sessionId = "33333333-3333-4333-8333-333333333333";
  const record = (uuid: string, type: string, message: object) => ({
    ...{ uuid, sessionId, timestamp: "2026-11-21T02:00:00.000Z" },
    ...{ type, message },
  });
  const call = { type: "tool_use", id: "t1", name: "n".repeat(201), input: {} };
  write(`.claude/projects/-work/${sessionId}.jsonl`, [
    record("u1", "user", { content: "hello" }),
    record("u2", "assistant", { id: "m1", model: "claude-opus-5", content: [call] }),
  ]);
  const below = `.claude/projects/-work/${sessionId}/subagents`;
  write(`${below}/agent-a1.jsonl`, [record("u3", "user", { content: "hello" })]);
  write(`${below}/agent-a1.meta.json`, [{ agentType: "Explore", description: `${"d".repeat(198)}😀😀` }]);
  const told = await details("claude", sessionId);
  expect(told.tools[0]?.name).toBe(`${"n".repeat(199)}…`);
  expect(told.subagents[0]).toMatchObject({ type: "Explore", description: `${"d".repeat(198)}…` });
});

test("calls count in the turn that they were made in, in whatever order the files have them, and any number in one", () => {
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  const call = (second: number): PricedCall => ({
    ...{ id: `c${second}`, model: "m", at: at(second), input: 1, output: 1, cached: 0, cost: 1, basis: "listed" },
  });
  const prompts = [at(10), at(20), at(30)];
  const turns = turnsOf({ prompts, ends: [at(12), at(21), at(30)] }, [call(29), call(5), call(10), call(20), call(11)]);
  expect(turns.map(({ ms, calls }) => ({ ms, calls }))).toEqual([
    { ms: 2000, calls: 2 },
    { ms: 9000, calls: 2 },
    { ms: 0, calls: 0 },
  ]);
  const many = Array.from({ length: 200_000 }, () => call(15));
  expect(turnsOf({ prompts, ends: prompts }, many)[0]).toMatchObject({ ms: 5000, calls: 200_000 });
});
