import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { codexAdapter } from "../../../../../main/agents/adapters/codex.ts";
import { createPricing } from "../../../../../main/agents/pricing.ts";
import { openAccount } from "../../../../../main/agents/session-account.ts";
import { readDetails } from "../../../../../main/agents/session-details.ts";

const parent = "01a1fc09-2d3e-7271-bef2-7b260fa504e2";
const child = "01a1fc09-31b0-7f72-90bf-d2774d053b78";

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-codex-")));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Writes a rollout in the old format. Times are seconds after the minute. */
function rollout(id: string, meta: object, ...records: readonly (readonly [at: number, payload: object])[]): void {
  const folder = join(home, "sessions", "2026", "11", "21");
  mkdirSync(folder, { recursive: true });
  const line = (at: number, type: string, payload: object) =>
    JSON.stringify({ timestamp: `2026-11-21T02:57:${at.toFixed(3).padStart(6, "0")}Z`, type, payload });
  const lines = [
    line(3.1, "session_meta", { id, cwd: "/work", source: "cli", cli_version: "0.98.0", ...meta }),
    line(3.1, "turn_context", { model: "gpt-5.5", cwd: "/work" }),
    ...records.map(([at, payload]) => line(at, "event_msg", payload)),
  ];
  writeFileSync(join(folder, `rollout-2026-11-21T02-57-03-${id}.jsonl`), `${lines.join("\n")}\n`);
}

function tokens(last: number, total: number): object {
  const usage = (input: number) => ({
    input_tokens: input,
    cached_input_tokens: 0,
    output_tokens: 1,
    total_tokens: input + 1,
  });
  return { type: "token_count", info: { last_token_usage: usage(last), total_token_usage: usage(total) } };
}

async function inputOf(sessionId: string): Promise<{ input: number; skipped: unknown }> {
  const source = {
    adapter: codexAdapter(),
    home,
    sessionId,
    price: createPricing(() => []),
    log: { problem: () => {} },
  };
  const account = await openAccount(source);
  await account.update();
  return { input: account.usage().input, skipped: account.ledger.skipped };
}

test("an old fork's copied counts are its parent's; its own are counted by call, whatever its running total says", async () => {
  rollout(
    child,
    { forked_from_id: parent },
    [3.2, tokens(100, 100)],
    [3.3, tokens(200, 300)],
    [9, tokens(50, 350)],
    [9.5, tokens(50, 350)],
  );
  expect(await inputOf(child)).toEqual({
    input: 50,
    skipped: [
      { reason: "copied from the session that this one was forked from", count: 2 },
      { reason: "token count repeated without a new call", count: 1 },
    ],
  });
});

test("a session that is no fork counts its first second", async () => {
  rollout(parent, {}, [3.2, tokens(100, 100)], [9, tokens(50, 150)]);
  expect((await inputOf(parent)).input).toBe(150);
});

test("a running total that shrinks after a compaction is still a new call", async () => {
  rollout(parent, {}, [4, tokens(100, 100)], [5, tokens(200, 300)], [6, tokens(30, 30)]);
  expect((await inputOf(parent)).input).toBe(330);
});

test("a thread that an agent spawned counts for it, and is no session of its own", async () => {
  rollout(parent, {}, [4, tokens(100, 100)]);
  const source = { subagent: { thread_spawn: { parent_thread_id: parent, depth: 1 } } };
  rollout(child, { source }, [3.2, tokens(100, 100)], [9, tokens(70, 170)]);
  expect((await inputOf(parent)).input).toBe(170);
  expect(codexAdapter().sessions(home)).toEqual([parent]);
});

test("threads that sub-agents have started count for the session, each below its own parent", async () => {
  const ids = ["e2", "e4", "e6", "e8"].map((end) => `01a1fc09-31b0-7f72-90bf-d2774d053b${end}`);
  const [root = "", first = "", second = "", stranger = ""] = ids;
  const spawned = (parent_thread_id: string, agent_role?: unknown) => ({
    source: { subagent: { thread_spawn: { parent_thread_id, depth: 1, agent_nickname: "Ada", agent_role } } },
  });
  rollout(root, {}, [5, tokens(100, 100)]);
  rollout(first, spawned(root, "explorer"), [6, tokens(20, 20)]);
  rollout(second, spawned(first, 7), [7, tokens(3, 3)]);
  rollout(stranger, spawned(child), [8, tokens(1000, 1000)]);
  expect((await inputOf(root)).input).toBe(123);
  const source = { adapter: codexAdapter(), home, sessionId: root, price: createPricing(() => []) };
  const { subagents } = await readDetails({ ...source, log: { problem: () => {} } });
  expect(subagents.map(({ id, parent, type, calls }) => [id, parent, type, calls])).toEqual([
    [first, null, "explorer", 1],
    [second, first, undefined, 1],
  ]);
});
