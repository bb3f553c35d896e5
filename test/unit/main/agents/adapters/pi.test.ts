import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type {
  ApiCall,
  JoinRequest,
  TranscriptEvent,
  TranscriptNote,
} from "../../../../../main/agents/adapters/adapter.ts";
import { allAdapters } from "../../../../../main/agents/adapters/all.ts";
import { TranscriptReader } from "../../../../../main/agents/transcript-reader.ts";

const found = allAdapters().find(({ kind }) => kind === "pi");
if (found === undefined) throw new Error("no pi");
const adapter = found;
const START = Date.parse("2026-11-26T03:00:00.000Z");
const at = (second: number) => new Date(START + second * 1000).toISOString();
const usage = { input: 100, output: 20, cacheRead: 300, cacheWrite: 40, cost: { total: 0.5 } };

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pi-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function transcript(id: string, second: number, entries: readonly object[], more: object = {}): string {
  const folder = join(home, "sessions", "--work-proj.a--");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `2026-11-26T03-00-00-000Z_${id}.jsonl`);
  const header = { type: "session", version: 3, id, timestamp: at(second), cwd: "/work/proj.a", ...more };
  writeFileSync(path, [header, ...entries].map((one) => `${JSON.stringify(one)}\n`).join(""));
  return path;
}

async function read(id: string) {
  const calls: ApiCall[] = [];
  const events: (TranscriptEvent | TranscriptNote)[] = [];
  const states: string[] = [];
  const skipped: string[] = [];
  const log = { problem: () => undefined };
  await new TranscriptReader(adapter, home, id, "events", log).read({
    call: (call) => calls.push(call),
    event: (event) => events.push(event),
    note: (note) => events.push(note),
    status: (status, _, detail) => states.push(`${status}: ${detail}`),
    model: () => undefined,
    reported: () => undefined,
    context: () => undefined,
    windows: () => undefined,
    facts: () => undefined,
    skip: (reason) => skipped.push(reason),
  });
  return { calls, events: events.map(({ type, text }) => `${type}: ${text}`), states, skipped };
}

const message = (id: string, second: number, fields: object) => ({
  type: "message",
  id,
  timestamp: at(second),
  message: fields,
});

test("a session is read with its calls, its tools, its commands and its states", async () => {
  transcript("s-1", 0, [
    message("a", 1, { role: "user", content: [{ type: "text", text: "Hello" }] }),
    message("b", 2, {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm" },
        { type: "text", text: "I look" },
        { type: "toolCall", id: "t1", name: "bash", arguments: { command: "ls" } },
      ],
      ...{ provider: "anthropic", model: "claude-sonnet-4-6", usage, stopReason: "toolUse" },
    }),
    message("c", 3, {
      role: "toolResult",
      toolCallId: "t1",
      content: [{ type: "text", text: "a.txt" }],
      isError: false,
    }),
    message("d", 4, {
      role: "assistant",
      content: [{ type: "text", text: "Done" }],
      model: "local",
      usage,
      stopReason: "stop",
    }),
    message("e", 5, { role: "bashExecution", command: "ls", output: "a.txt", exitCode: 0 }),
    message("f", 6, { role: "assistant", content: [], stopReason: "error", errorMessage: "overloaded" }),
    message("g", 7, { role: "assistant", content: [], stopReason: "aborted" }),
    { type: "compaction", id: "h", timestamp: at(8), summary: "All so far" },
  ]);
  const { calls, events, states, skipped } = await read("s-1");
  const tokens = { input: 100, output: 20, cached: 300, cacheWrite: 40, cacheWrite1h: 0 };
  expect(calls).toMatchObject([
    { id: "b", model: "claude-sonnet-4-6", provider: "anthropic", tokens, ownCost: 0.5 },
    { id: "d", model: "local", tokens },
  ]);
  expect(calls[1]).not.toHaveProperty("provider");
  expect(events).toEqual([
    ...["user_message: Hello", "thinking: Hm", "assistant_message: I look", "tool_call: bash", "tool_result: a.txt"],
    ...[
      "assistant_message: Done",
      "note: ls",
      "note: a.txt",
      "error: overloaded",
      "interrupted: ",
      "compacted: All so far",
    ],
  ]);
  expect(states).toEqual([
    ...["working: prompt sent", "working: a tool is called", "working: a tool has run", "idle: answer ended"],
    ...["error: overloaded", "idle: interrupted"],
  ]);
  expect(skipped).toEqual([]);
});

test("a terminal works on the session that began after it in its folder, and a fork counts for the older one", async () => {
  const parent = transcript("s-1", 0, []);
  transcript("s-2", 60, [], { parentSession: parent });
  const request = (second: number) =>
    ({
      process: { argv: () => ["pi"], env: (name: string) => (name === "PI_CODING_AGENT_DIR" ? home : undefined) },
      launchedAt: START + second * 1000,
      cwd: "/work/proj.a",
      known: undefined,
      taken: () => false,
      aloneAt: () => true,
      shownIn: () => undefined,
    }) as unknown as JoinRequest;
  expect(adapter.join(request(30))).toMatchObject({ sessionId: "s-2", home, assumed: true });
  expect((await adapter.relatedSessions(home, "s-2")).map(({ sessionId }) => sessionId)).toEqual(["s-1"]);
  expect(await adapter.relatedSessions(home, "s-1")).toEqual([]);
  expect(adapter.sessions(home)).toEqual(["s-1", "s-2"]);
  expect(adapter.stored(home, "s-1")).toMatchObject({ path: parent, cwd: "/work/proj.a" });
  expect(adapter.files(home, "none").main).toBeUndefined();
});

test("records of other shapes are skipped or ignored", async () => {
  transcript("s-1", 0, [
    { type: 3 },
    message("a", 1, { role: 7 }),
    { type: "message", message: { role: "assistant", content: 3 } },
  ]);
  const { calls, skipped } = await read("s-1");
  expect([calls, skipped]).toEqual([[], ["not a record of this agent"]]);
});
