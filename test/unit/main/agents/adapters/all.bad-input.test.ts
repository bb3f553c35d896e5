import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { TranscriptSink } from "../../../../../main/agents/adapters/adapter.ts";
import { allAdapters } from "../../../../../main/agents/adapters/all.ts";
import type { ReadProblem } from "../../../../../main/agents/line-reader.ts";
import { createPricing } from "../../../../../main/agents/pricing.ts";
import { openAccount, readEvents } from "../../../../../main/agents/session-account.ts";
import { TranscriptReader } from "../../../../../main/agents/transcript-reader.ts";

let home: string;
let problems: ReadProblem[];
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-bad-")));
  problems = [];
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(home, { recursive: true, force: true });
});

const session = "11111111-1111-4111-8111-111111111111";

/** A line as Claude Code writes it. */
function answer(id: string, output: number, extra: object = {}): string {
  const usage = {
    input_tokens: 10,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 100,
    output_tokens: output,
  };
  const message = { id, role: "assistant", model: "claude-haiku-4-5", content: [{ type: "text", text: id }], usage };
  return `${JSON.stringify({ type: "assistant", uuid: `${id}-${output}`, sessionId: session, timestamp: "2026-11-21T02:00:00.000Z", message, ...extra })}\n`;
}

function claude() {
  const adapter = allAdapters().find(({ kind }) => kind === "claude");
  if (adapter === undefined) throw new Error("no adapter");
  const folder = join(home, "projects", "-work");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${session}.jsonl`);
  const log = { problem: (problem: ReadProblem) => problems.push(problem) };
  return { path, source: { adapter, home, sessionId: session, price: createPricing(() => []), log } };
}

describe("a transcript with", () => {
  test("half-written and binary records: skipped, each with a line that names it, and the rest is counted", async () => {
    const { path, source } = claude();
    const first = answer("msg_1", 5);
    writeFileSync(path, first);
    const broken = `${answer("msg_2", 7).slice(0, 100)}\n`;
    appendFileSync(path, broken);
    appendFileSync(path, Buffer.from([0x7b, 0x00, 0xff, 0xfe, 0x80, 0x22, 0x0a]));
    appendFileSync(path, Buffer.concat([Buffer.from('{"x'), Buffer.alloc(64, 0xff), Buffer.from("\n")]));
    appendFileSync(path, answer("msg_3", 9));
    const account = await openAccount(source);
    await account.update();
    expect(account.usage()).toMatchObject({ input: 20, output: 14, cached: 200 });
    expect(problems).toEqual([
      { reason: "record that is not JSON skipped", path, offset: Buffer.byteLength(first) },
      { reason: "record that is not JSON skipped", path, offset: Buffer.byteLength(first + broken) + 7 },
    ]);
    expect(account.ledger.skipped).toEqual([{ reason: "not JSON", count: 2 }]);
    expect(await readEvents(source, { limit: 10 })).toHaveLength(2);
  });

  test("a record of more values than any agent writes: skipped before it is parsed, and the rest is counted", async () => {
    const { path, source } = claude();
    const first = answer("msg_1", 5);
    const dense = `${answer("msg_2", 7).slice(0, -2)},"x":[${"[],".repeat(100_000)}0]}`;
    writeFileSync(path, `${first}${dense}\n${answer("msg_3", 9)}${dense}`);
    const account = await openAccount(source);
    const parse = vi.spyOn(JSON, "parse");
    await account.update();
    expect(parse.mock.calls.filter(([text]) => text.length > 100_000)).toEqual([]);
    expect(account.usage()).toMatchObject({ output: 14 });
    expect(problems).toEqual([{ reason: "record of too many values skipped", path, offset: Buffer.byteLength(first) }]);
    expect(account.ledger.skipped).toEqual([{ reason: "too many values", count: 1 }]);
  });

  test("a document of more values than any agent writes: said once, however often it is written", async () => {
    const adapter = allAdapters().find(({ kind }) => kind === "gemini") ?? expect.unreachable("gemini");
    const path = join(home, "session.json");
    const log = { problem: (problem: ReadProblem) => problems.push(problem) };
    const reader = new TranscriptReader(adapter, home, session, "usage", log);
    const sink = new Proxy({} as TranscriptSink, { get: () => () => undefined });
    for (const more of ["", " ", "  "]) {
      writeFileSync(path, `{"x":[${"[],".repeat(400_000)}0]}${more}`);
      await reader.read(sink, { main: path, subagents: [] });
    }
    expect(problems).toEqual([{ reason: "record of too many values skipped", path, offset: 0 }]);
  });

  test("half a record at its end: not parsed with each byte that it grows, but when it may be whole", async () => {
    const { path, source } = claude();
    const half = answer("msg_2", 7).slice(0, -2);
    writeFileSync(path, `${answer("msg_1", 5)}${half},`);
    const account = await openAccount(source);
    await account.update();
    const parse = vi.spyOn(JSON, "parse");
    for (const more of ['"x":"', "y", '"']) {
      appendFileSync(path, more);
      await account.update();
    }
    expect(parse).not.toHaveBeenCalled();
    appendFileSync(path, "} ");
    await account.update();
    expect(account.usage()).toMatchObject({ output: 12 });
  });

  test("a last line that is finished later: counted once", async () => {
    const { path, source } = claude();
    const [one, two] = [answer("msg_1", 5), answer("msg_2", 7)];
    writeFileSync(path, one + two.slice(0, 50));
    const account = await openAccount(source);
    await account.update();
    expect(account.ledger.counted).toBe(1);
    appendFileSync(path, two.slice(50, -1)); // whole, but without its newline
    await account.update();
    appendFileSync(path, "\n");
    await account.update();
    expect(account.usage()).toMatchObject({ input: 20, output: 12 });
    expect(problems).toEqual([]);
  });

  test("times that go back or are nonsense: every call is counted, no event is without a time", async () => {
    const { path, source } = claude();
    writeFileSync(path, answer("msg_1", 5, { timestamp: "2026-11-21T05:00:00.000Z" }));
    appendFileSync(path, answer("msg_2", 5, { timestamp: "2026-11-21T01:00:00.000Z" }));
    appendFileSync(path, answer("msg_3", 5, { timestamp: "yesterday" }));
    appendFileSync(path, answer("msg_4", 5, { timestamp: 17 }));
    const account = await openAccount(source);
    await account.update();
    expect(account.ledger.counted).toBe(4);
    expect(account.lastAt).toBe("2026-11-21T05:00:00.000Z");
    const events = await readEvents(source, { limit: 10 });
    expect(events.map(({ at }) => at.slice(11, 13))).toEqual(["05", "01", "01", "01"]);
  });

  test("negative, missing or absurd usage: not counted", async () => {
    const { path, source } = claude();
    const bad = [
      { input_tokens: -5, output_tokens: 1 },
      { output_tokens: 3 },
      "many",
      { input_tokens: null, output_tokens: 1 },
    ];
    for (const [index, usage] of bad.entries()) {
      const message = { id: `msg_${index}`, model: "claude-haiku-4-5", content: [], usage };
      appendFileSync(
        path,
        `${JSON.stringify({ type: "assistant", uuid: `u${index}`, sessionId: session, message })}\n`,
      );
    }
    appendFileSync(path, answer("msg_good", 5));
    const account = await openAccount(source);
    await account.update();
    expect(account.ledger.counted).toBe(1);
    expect(account.ledger.skipped).toEqual([{ reason: "not a record of this agent", count: 4 }]);
  });

  test("more tokens than a call can have: not counted, whatever they would sum up to", async () => {
    const { path, source } = claude();
    for (const [index, tokens] of [9e18, 9e18, 1.7e308, 1.7e308].entries()) {
      appendFileSync(path, answer(`msg_${index}`, tokens));
    }
    const searches = { usage: { input_tokens: 1, output_tokens: 1, server_tool_use: { web_search_requests: 1e300 } } };
    const message = { id: "msg_s", model: "claude-haiku-4-5", content: [], ...searches };
    appendFileSync(path, answer("msg_s", 1, { message }));
    appendFileSync(path, answer("msg_good", 5));
    const account = await openAccount(source);
    await account.update();
    expect(account.ledger.counted).toBe(1);
    expect(account.usage()).toMatchObject({ input: 10, output: 5 });
    expect(account.ledger.skipped).toEqual([
      { reason: "absurd number of tokens", count: 4 },
      { reason: "absurd price", count: 1 },
    ]);
  });

  test("times that no calendar has: the last good one counts", async () => {
    const { path, source } = claude();
    const times = [
      "2026-11-21T05:00:00.000Z",
      "2026-19-39T29:59:59Z",
      "+275760-09-13T00:00:00Z",
      "2026-02-30T01:00:00Z",
    ];
    for (const [index, timestamp] of times.entries()) appendFileSync(path, answer(`msg_${index}`, 5, { timestamp }));
    const account = await openAccount(source);
    await account.update();
    expect(account.lastAt).toBe("2026-11-21T05:00:00.000Z");
    const events = await readEvents(source, { limit: 10 });
    expect(events.map(({ at }) => at)).toEqual([
      ...Array(3).fill("2026-11-21T05:00:00.000Z"),
      "2026-03-02T01:00:00.000Z",
    ]);
  });

  test("zero usage by the agent itself, an unknown model, and one answer told with growing output", async () => {
    const { path, source } = claude();
    const synthetic = answer("msg_s", 0).replace("claude-haiku-4-5", "<synthetic>");
    const unknown = answer("msg_u", 100).replace("claude-haiku-4-5", "claude-nobody-knows");
    writeFileSync(path, synthetic + unknown + answer("msg_1", 1) + answer("msg_1", 60) + answer("msg_1", 20));
    const account = await openAccount(source);
    await account.update();
    expect(account.ledger.byModel()).toEqual([
      {
        model: "claude-nobody-knows",
        calls: 1,
        basis: "unpriced",
        usage: { input: 10, output: 100, cached: 100, cost: 0, unpriced: true },
      },
      expect.objectContaining({ model: "claude-haiku-4-5", calls: 1, usage: expect.objectContaining({ output: 60 }) }),
    ]);
    expect(account.usage().unpriced).toBe(true);
  });
});

test("what was counted stays counted when the transcript is truncated and written anew", async () => {
  const { path, source } = claude();
  writeFileSync(path, answer("msg_1", 5) + answer("msg_2", 5));
  const account = await openAccount(source);
  await account.update();
  writeFileSync(path, answer("msg_2", 5) + answer("msg_3", 5));
  await account.update();
  expect(account.usage()).toMatchObject({ output: 15 });
  rmSync(path);
  await account.update();
  expect(account.usage()).toMatchObject({ output: 15 });
});

test("any JSON value is taken by every parser without a throw, and leaves finite sums", () => {
  const key = fc.constantFrom(
    "type",
    "message",
    "usage",
    "payload",
    "id",
    "tokens",
    "info",
    "content",
    "timestamp",
    "$set",
    "messages",
    "item",
    "last_token_usage",
    "total_token_usage",
  );
  const type = fc.constantFrom(
    "assistant",
    "user",
    "gemini",
    "event_msg",
    "token_usage_record",
    "session_meta",
    "response_item",
    "token_count",
    "item_completed",
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      type,
      fc.jsonValue(),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(key, tie("value")),
    ),
  }));
  const sums: number[] = [];
  const sink: TranscriptSink = {
    call: ({ tokens }) => sums.push(...Object.values(tokens)),
    event: ({ at }) => expect(Number.isNaN(Date.parse(at))).toBe(false),
    status: () => {},
    model: () => {},
    reported: () => {},
    context: () => {},
    windows: () => {},
    facts: () => {},
    skip: () => {},
  };
  fc.assert(
    fc.property(fc.array(value), fc.boolean(), (records, subagent) => {
      for (const adapter of allAdapters()) {
        const parser = adapter.parser(session, "events");
        for (const record of records) parser.record(record, subagent, sink);
      }
    }),
    { numRuns: 500 },
  );
  expect(sums.every((sum) => Number.isFinite(sum) && sum >= 0)).toBe(true);
});

test("the status is the last line's that says something, also when it was read with many others", async () => {
  const { path, source } = claude();
  const line = (extra: object) => {
    const common = { parentUuid: null, isSidechain: false, sessionId: session, timestamp: "2026-11-21T02:00:01.000Z" };
    return `${JSON.stringify({ ...common, ...extra })}\n`;
  };
  const prompt = { promptId: "p", type: "user", message: { role: "user", content: "Do it." }, uuid: "u1" };
  const command = { type: "system", subtype: "local_command", uuid: "u2" };
  const ended = { type: "system", subtype: "turn_duration", uuid: "u3" };
  const account = await openAccount(source);
  writeFileSync(path, answer("msg_1", 5) + line(prompt) + line(command));
  await account.update();
  expect(account.status?.status).toBe("working");
  appendFileSync(path, line(prompt) + answer("msg_2", 5) + line(ended) + line(command));
  await account.update();
  expect(account.status?.status).toBe("idle");
});

test("a session file of Claude Code with a time that no calendar has: its status counts from 1970", () => {
  const { source } = claude();
  mkdirSync(join(home, "sessions"));
  const pidFile = { sessionId: session, status: "waiting", statusUpdatedAt: 1e300, updatedAt: -1, startedAt: "soon" };
  writeFileSync(join(home, "sessions", "5.json"), JSON.stringify(pidFile));
  const joined = source.adapter.join({
    process: {
      ...{ pid: 5, ppid: 1, pgrp: 5, comm: "claude", tty: "1", startKey: "5", startedAt: 0, stopped: false },
      argv: () => ["claude"],
      exe: () => "/bin/claude",
      exeSize: () => 1,
      cwd: () => "/work",
      env: (name) => (name === "CLAUDE_CONFIG_DIR" ? home : undefined),
      openFiles: () => [],
    },
    ...{
      launchedAt: 0,
      cwd: "/work",
      known: undefined,
      aloneAt: () => true,
      shownIn: () => undefined,
      taken: () => false,
    },
  });
  expect(joined).toMatchObject({ sessionId: session, reported: { status: "waiting", at: 0 } });
});
