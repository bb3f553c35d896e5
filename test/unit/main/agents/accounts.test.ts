import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Accounts } from "../../../../main/agents/accounts.ts";
import { claudeAdapter } from "../../../../main/agents/adapters/claude.ts";
import { createPricing } from "../../../../main/agents/pricing.ts";
import type { SessionAccount } from "../../../../main/agents/session-account.ts";
import { agentMigrations, type UsageStore, usageStore } from "../../../../main/agents/usage-store.ts";

const sessionId = "33333333-3333-4333-8333-333333333333";
const adapter = claudeAdapter();
const key = { agentType: "claude", sessionId };

let home: string;
let database: Database.Database;
let store: UsageStore;
let accounts: Accounts;
let onUpdate: (account: SessionAccount) => void;
const logged: string[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "accounts-"));
  database = new Database(":memory:");
  for (const sql of agentMigrations) database.exec(sql);
  store = usageStore(database);
  onUpdate = () => undefined;
  logged.length = 0;
  accounts = open(store);
});
afterEach(() => {
  accounts[Symbol.dispose]();
  database.close();
  rmSync(home, { recursive: true, force: true });
});

function open(kept: UsageStore): Accounts {
  return new Accounts({
    store: kept,
    price: async () => createPricing(() => []),
    quotas: { report: () => undefined },
    log: (message) => logged.push(message),
    onUpdate: (account) => onUpdate(account),
  });
}

/** Writes an answer with so many tokens of output. */
function answer(id: string, output: number): void {
  const folder = join(home, "projects", "-work");
  mkdirSync(folder, { recursive: true });
  const usage = { input_tokens: 10, output_tokens: output };
  const message = { id, model: "claude-opus-5", stop_reason: "end_turn", content: [], usage };
  const record = { type: "assistant", uuid: id, sessionId, timestamp: "2026-11-21T02:00:00.000Z", message };
  appendFileSync(join(folder, `${sessionId}.jsonl`), `${JSON.stringify(record)}\n`);
}

test("a session without a transcript has no account, and may still get one", async () => {
  expect(accounts.get(adapter, { home, sessionId })).toBeUndefined();
  expect(await accounts.readToEnd(adapter, { home, sessionId })).toEqual({ account: undefined, kept: false });
});

test("what is read is in the store, and is reported from there once the account is closed", async () => {
  answer("msg_1", 7);
  const { account, kept } = await accounts.readToEnd(adapter, { home, sessionId });
  expect([account?.ledger.counted, kept]).toEqual([1, true]);
  expect(store.calls(key)).toMatchObject([{ id: "msg_1", output: 7 }]);
  const report = accounts.report(key);
  expect(report).toMatchObject({ usage: { input: 10, output: 7 }, session: { files: 1, counted: 1 } });
  accounts.keepOnly(new Set());
  expect(accounts.report(key)).toEqual(report);
  expect(accounts.report({ ...key, sessionId: "other" })).toEqual({
    models: [],
    usage: { input: 0, output: 0, cached: 0, cost: 0 },
    session: { sessionId: "other", agentType: "claude", files: 0, counted: 0, skipped: [] },
  });
});

test("an account that is being read to its end stays open until then, in use or not", async () => {
  answer("msg_1", 7);
  const seen = new Set<SessionAccount>();
  onUpdate = (account) => {
    seen.add(account);
    accounts.keepOnly(new Set());
  };
  const { account, kept } = await accounts.readToEnd(adapter, { home, sessionId });
  expect([kept, account?.ledger.counted, [...seen]]).toEqual([true, 1, [account]]);
  expect(store.calls(key)).toHaveLength(1);
  // Read, it is closed like any other that is not in use.
  accounts.keepOnly(new Set());
  if (account === undefined) throw new Error("no account");
  expect(await accounts.update(account)).toBe(false);
});

test("an account in use stays open, and its new calls are stored", async () => {
  answer("msg_1", 7);
  const { account } = await accounts.readToEnd(adapter, { home, sessionId });
  if (account === undefined) throw new Error("no account");
  accounts.keepOnly(new Set([account]));
  answer("msg_2", 9);
  expect(await accounts.update(account)).toBe(true);
  expect(store.calls(key).map(({ id }) => id)).toEqual(["msg_1", "msg_2"]);
  expect(accounts.get(adapter, { home, sessionId })).toBe(account);
});

test("a session whose last records could not be read is not read to its end, and one whose transcript is gone is", async () => {
  answer("msg_1", 7);
  const { account } = await accounts.readToEnd(adapter, { home, sessionId });
  if (account === undefined) throw new Error("no account");
  accounts.keepOnly(new Set([account]));
  const path = join(home, "projects", "-work", `${sessionId}.jsonl`);
  rmSync(path);
  symlinkSync(path, path);
  expect((await accounts.readToEnd(adapter, { home, sessionId })).kept).toBe(false);
  rmSync(path);
  expect((await accounts.readToEnd(adapter, { home, sessionId })).kept).toBe(true);
  answer("msg_2", 9);
  expect((await accounts.readToEnd(adapter, { home, sessionId })).kept).toBe(true);
  expect(store.calls(key).map(({ id }) => id)).toEqual(["msg_1", "msg_2"]);
});

test("calls that the store could not keep are tried again", async () => {
  let isFull = true;
  accounts[Symbol.dispose]();
  accounts = open({
    ...store,
    recordCalls(...calls) {
      if (isFull) throw new Error("the disk is full");
      store.recordCalls(...calls);
    },
  });
  answer("msg_1", 7);
  const { account, kept } = await accounts.readToEnd(adapter, { home, sessionId });
  expect([kept, store.calls(key)]).toEqual([false, []]);
  expect(logged).toContain("an agent's usage could not be kept; it will be tried again");
  isFull = false;
  if (account === undefined) throw new Error("no account");
  expect(await accounts.update(account)).toBe(true);
  expect(store.calls(key)).toHaveLength(1);
});
