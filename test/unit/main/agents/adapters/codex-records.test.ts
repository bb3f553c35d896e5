import { expect, test } from "vitest";
import type { TranscriptEvent, TranscriptNote } from "../../../../../main/agents/adapters/adapter.ts";
import { CodexParser } from "../../../../../main/agents/adapters/codex-records.ts";
import { nothing } from "../../../../../main/agents/session-account.ts";

const record = { type: "compacted", payload: { message: "" } };
const item = { type: "event_msg", payload: { type: "item_completed", item: { type: "ContextCompaction", id: "c-1" } } };

test.each([
  ["a record and its item", [record, item], 1],
  ["an item and its record", [item, record], 1],
  ["two compactions of a new version", [record, item, record, item], 2],
  ["two compactions, the second in another order", [record, item, item, record], 2],
  ["two compactions of an old version", [record, record], 2],
  ["two compactions that have items only", [item, item], 2],
])("%s: each compaction is one event", (_, records, compactions) => {
  expect(toldBy(records).filter(({ type }) => type === "compacted")).toHaveLength(compactions);
});

test("a compaction is read for the usage too: what the context holds is not known from then on", () => {
  const parser = new CodexParser("session", "usage");
  const line = Buffer.from(JSON.stringify({ timestamp: "2026-11-24T10:00:00.000Z", ...record }));
  expect(parser.matters(line, 0, line.length)).toBe("yes");
  const told: string[] = [];
  parser.record(JSON.parse(line.toString()), false, { ...nothing, event: ({ type }) => void told.push(type) });
  expect(told).toEqual(["compacted"]);
});

test("the summary of a compaction is told to a conversation", () => {
  const told = toldBy([{ type: "compacted", payload: { message: "What was done." } }]);
  expect(told.map(({ type, kind, text }) => `${type} ${kind ?? ""} ${text}`)).toEqual([
    "compacted  Conversation compacted",
    "note summary What was done.",
  ]);
});

test("a command that the user runs, and what Codex does by itself, are told; the items of the model's calls are not again", () => {
  const command = {
    type: "CommandExecution",
    command: ["/bin/bash", "-lc", "false"],
    aggregated_output: "x\n",
    exit_code: 1,
  };
  const told = toldBy([
    { type: "response_item", payload: { type: "function_call", call_id: "a", name: "exec_command", arguments: "{}" } },
    completed({ ...command, id: "a" }),
    completed({ ...command, id: "b" }),
    completed({ type: "WebSearch", id: "w", query: "patchbay", status: "completed" }),
    completed({ type: "UserMessage", content: [{ type: "image", image_url: "data:image/png;base64,AAAA" }] }),
  ]);
  expect(
    told.map(({ type, kind = "", text, data, images }) => [type, kind, text, data.input ?? null, images ?? []]),
  ).toEqual([
    ["tool_call", "", "exec_command", {}, []],
    ["note", "command", "!false", null, []],
    ["note", "output", "x\n", null, []],
    ["tool_call", "", "WebSearch", { query: "patchbay" }, []],
    ["tool_result", "", "", null, []],
    ["note", "prompt", "", null, [{ mediaType: "image/png", bytes: 3 }]],
  ]);
});

test.each([
  [
    "Chunk ID: 1\nWall time: 1.5 seconds\nProcess exited with code 3\nOutput:\n",
    { isError: true, exitCode: 3, durationMs: 1500 },
  ],
  ["Exit code: 0\nWall time: 2 seconds\nOutput:\n", { isError: false, exitCode: 0, durationMs: 2000 }],
  [
    '{"output":"","metadata":{"exit_code":-1,"duration_seconds":0.5}}',
    { isError: true, exitCode: -1, durationMs: 500 },
  ],
  ["exec command rejected by user", { isError: true, refused: true }],
  ["Wall time: 1.8 seconds\naborted by user", { isError: true, durationMs: 1800 }],
  ["The words: Process exited with code 3", { isError: false }],
])("the result %j has the outcome that its own words say", (output, outcome) => {
  const [result] = toldBy([{ type: "response_item", payload: { type: "function_call_output", call_id: "a", output } }]);
  const { isError, refused } = result?.data ?? {};
  const { exitCode, durationMs } = result ?? {};
  expect(JSON.parse(JSON.stringify({ isError, exitCode, durationMs, ...(refused === true && { refused }) }))).toEqual(
    outcome,
  );
});

function completed(item: object) {
  return { type: "event_msg", payload: { type: "item_completed", item } };
}

function toldBy(records: readonly object[]): (TranscriptEvent | TranscriptNote)[] {
  const told: (TranscriptEvent | TranscriptNote)[] = [];
  const parser = new CodexParser("session", "events");
  const sink = {
    ...nothing,
    event: (event: TranscriptEvent) => void told.push(event),
    note: (note: TranscriptNote) => void told.push(note),
  };
  const meta = { type: "session_meta", timestamp: "2026-11-24T10:00:00.000Z", payload: { id: "session" } };
  for (const one of [meta, ...records]) parser.record(one, false, sink);
  return told;
}
