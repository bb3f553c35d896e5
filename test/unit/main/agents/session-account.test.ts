import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { claudeAdapter } from "../../../../main/agents/adapters/claude.ts";
import { createPricing } from "../../../../main/agents/pricing.ts";
import { openAccount } from "../../../../main/agents/session-account.ts";

const sessionId = "33333333-3333-4333-8333-333333333333";
const main = `projects/-work/${sessionId}.jsonl`;
const ofSubagent = `projects/-work/${sessionId}/subagents/agent-a1.jsonl`;

let home: string;
let lines = 0;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "account-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(path: string, record: object): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  lines += 1;
  const at = `2026-11-21T02:00:${String(lines % 60).padStart(2, "0")}.000Z`;
  appendFileSync(file, `${JSON.stringify({ uuid: `u${lines}`, sessionId, timestamp: at, ...record })}\n`);
}

/** Writes an answer of a model that has read so many fresh, new and known tokens. */
function answer(path: string, model: string, [input, written, read]: readonly [number, number, number]): void {
  const usage = {
    ...{ input_tokens: input, output_tokens: 7 },
    ...{ cache_creation_input_tokens: written, cache_read_input_tokens: read },
  };
  const message = { id: `msg_${lines}`, model, stop_reason: "end_turn", content: [], usage };
  write(path, { type: "assistant", message });
}

function open() {
  const log = {
    problem: ({ reason }: { reason: string }) => {
      throw new Error(reason);
    },
  };
  return openAccount({ adapter: claudeAdapter(), home, sessionId, price: createPricing(() => []), log });
}

test("the context is all that the last request read: fresh, newly cached and cached tokens", async () => {
  write(main, { type: "user", message: { content: "hello" } });
  const account = await open();
  await account.update();
  expect(account.context).toBeUndefined();
  answer(main, "claude-opus-5", [3, 40, 180_000]);
  expect(await account.update()).toBe(true);
  expect(account.context).toEqual({ used: 180_043 });
  answer(main, "claude-opus-5", [5, 1, 181_000]);
  await account.update();
  expect(account.context).toEqual({ used: 181_006 });
});

test("a sub-agent's calls count, and change neither the model nor the context", async () => {
  answer(main, "claude-opus-5", [3, 40, 180_000]);
  const account = await open();
  await account.update();
  answer(ofSubagent, "claude-haiku-4-5", [10, 0, 0]);
  expect(await account.update()).toBe(true);
  expect([account.model, account.context, account.ledger.counted]).toEqual(["claude-opus-5", { used: 180_043 }, 2]);
  expect(account.usage().input).toBe(53);
});

test("after a compaction the context is not known until the next request; a sub-agent's compaction is its own", async () => {
  answer(main, "claude-opus-5", [3, 40, 180_000]);
  answer(ofSubagent, "claude-haiku-4-5", [10, 0, 0]);
  const account = await open();
  await account.update();
  const compacted = { type: "system", subtype: "compact_boundary" };
  write(ofSubagent, compacted);
  await account.update();
  expect(account.context).toEqual({ used: 180_043 });
  write(main, compacted);
  await account.update();
  expect(account.context).toBeUndefined();
  answer(main, "claude-opus-5", [900, 0, 0]);
  await account.update();
  expect(account.context).toEqual({ used: 900 });
});

test("the first and the last activity span all records, and the last status counts", async () => {
  write(main, { type: "user", message: { content: "hello" }, timestamp: "2026-11-21T02:00:00.000Z" });
  answer(main, "claude-opus-5", [1, 2, 3]);
  const account = await open();
  await account.update();
  expect(account.firstAt).toBe("2026-11-21T02:00:00.000Z");
  expect(account.status).toMatchObject({ status: "idle", detail: "answer ended" });
  expect(account.lastAt).toBe(account.status?.at);
});

test("an update during a reading reads what was written before it, and new calls are told once a batch", async () => {
  answer(main, "claude-opus-5", [1, 2, 3]);
  const account = await open();
  let batches = 0;
  account.onCalls = () => {
    batches += 1;
  };
  const reading = account.update();
  answer(main, "claude-opus-5", [1, 2, 4]);
  expect(account.update()).toBe(reading);
  await reading;
  expect(account.ledger.counted).toBe(2);
  expect(batches).toBeGreaterThan(0);
  expect(await account.update()).toBe(false);
});
