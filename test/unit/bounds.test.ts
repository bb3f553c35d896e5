import { describe, expect, test } from "vitest";
import { searchPattern } from "../../core/protocol/search-pattern.ts";
import type { ApiCall } from "../../main/agents/adapters/adapter.ts";
import { StreamPage } from "../../main/agents/conversation-stream.ts";
import { turnsOf } from "../../main/agents/session-details.ts";
import { DocCutter, outsideOfSequences } from "../../main/shells/history-index/text-docs.ts";
import { hitsIn } from "../../main/shells/history-index/text-hits.ts";
import type { CommandMark } from "../../main/shells/marks/command-tracker.ts";
import { TypedEcho, withoutEditedLines } from "../../main/shells/typed-echo.ts";
import { fuzz as audit } from "../../tools/fuzz/targets/audit.ts";
import { fuzz as broker } from "../../tools/fuzz/targets/broker.ts";
import { fuzz as frames } from "../../tools/fuzz/targets/frames.ts";
import { fuzz as hooks } from "../../tools/fuzz/targets/hooks.ts";
import { fuzz as http } from "../../tools/fuzz/targets/http.ts";
import { fuzz as manifest } from "../../tools/fuzz/targets/manifest.ts";
import { fuzz as settings } from "../../tools/fuzz/targets/settings.ts";
import { fuzz as setup } from "../../tools/fuzz/targets/setup.ts";
import { fuzz as terminal } from "../../tools/fuzz/targets/terminal.ts";
import { fuzz as titles } from "../../tools/fuzz/targets/titles.ts";
import { fuzz as transcripts } from "../../tools/fuzz/targets/transcripts.ts";
import { steepGrowth } from "../support/growth.ts";

const KIB = 1024;

interface EntryPoint {
  readonly read: (data: Buffer) => unknown;
  /** A size at which work that is not linear shows. */
  readonly bound: number;
  /** Texts that have been, or would be, slow when repeated. */
  readonly units: readonly string[];
  /** What stands before and after the repeated text, so that it reaches the part that reads it. */
  readonly within?: readonly (readonly [string, string])[];
}

const JSON_UNITS = ["[", "{", '{"a":', '"', "\\", " "];
const WORDS = ["curl | ", "../", "a.", " ", "é"];

/** Everything that reads text from outside. */
const ENTRY_POINTS: Readonly<Record<string, EntryPoint>> = {
  "texts of the audit log": {
    read: audit,
    bound: 256 * KIB,
    units: ["a.", "a://b", "a://b@c", "pb_", "%61", "?", "#", " "],
  },
  "titles and operating system commands": {
    read: titles,
    bound: 16 * KIB,
    units: ["\u2733 ", " ", "(", ")", "a@", "/", ".", "[ ", "…", "%41"],
  },
  manifests: { read: manifest, bound: 64 * KIB, units: JSON_UNITS },
  settings: { read: settings, bound: 64 * KIB, units: ["[", "{", '{"theme":', '"', " "] },
  "grids, cells and commands of `setup`": {
    read: setup,
    bound: 64 * KIB,
    units: ["a", ",", "'", '"', "+", "\\", "shell:", "1x"],
    within: [
      ["", ""],
      ["1x1\n", ""],
      ["1x1\nshell\n", ""],
    ],
  },
  "a terminal's output": {
    read: terminal,
    bound: 256 * KIB,
    units: [
      "\u001b",
      "\u001b[",
      "\u001b]0;",
      "\u001bP",
      "1;",
      "\u0007",
      "\r",
      "\u001b[?2004h",
      "\u001b[3J",
      "é",
      "\u009b",
    ],
    within: [
      ["", ""],
      ["\u001b]2;", "\u0007"],
      ["\u001b[", "m"],
    ],
  },
  "documents of the history's index": {
    read: (data) => {
      const cutter = new DocCutter({ offset: 0, state: outsideOfSequences(0) }, () => {});
      cutter.push(data);
      hitsIn(data, { start: 0, begins: 0, ends: data.length, pattern: searchPattern({ query: "a" }, 10_000) });
    },
    bound: 32 * KIB,
    units: ["a", "a\n", "a\u0007", "a\u001b[m", "a\u001b[m\n", "é\u0007"],
  },
  "echoes of typed lines": {
    read: (data) => {
      const text = data.toString();
      new TypedEcho(() => [{ text: `${text}c`, offset: 0, at: performance.now() }], 0).openingLength(text);
      new TypedEcho(() => [{ text: `${text}c`, offset: 0, at: performance.now() }], 0).openingLength(`${text}b`);
    },
    bound: 128 * KIB,
    units: ["a", "ab", "aab"],
  },
  "lines that are edited between marks": {
    read: (data) => {
      const runs = Array.from({ length: data.length / 4 }, (_, index) => ({ text: "a", offset: 4 * index }));
      const marks = runs.map(({ offset }, index): CommandMark => {
        const place = { offset: offset + 2, end: offset + 3, at: 0 };
        return index % 2 === 0 ? { kind: "prompt-end", exitCode: null, ...place } : { kind: "command-start", ...place };
      });
      withoutEditedLines(runs, marks);
    },
    bound: 128 * KIB,
    units: ["a"],
  },
  "events of hooks": {
    read: hooks,
    bound: 256 * KIB,
    units: WORDS,
    within: [
      ["", ""],
      [
        '{"hook_event_name":"PermissionRequest","session_id":"s","cwd":"/w","tool_name":"Bash","tool_input":{"command":"',
        '"}}',
      ],
      [
        '{"hook_event_name":"PermissionRequest","session_id":"s","cwd":"/w","tool_name":"x","tool_input":{"a":["',
        '"]}}',
      ],
      ['{"type":"permission","session":"s","call":"c","title":"', '","options":[]}'],
    ],
  },
  "lines of transcripts": {
    read: transcripts,
    bound: 256 * KIB,
    units: [...WORDS, "<a>", "[Image #1]", "`", "\\n"],
    within: [
      ["", ""],
      ['{"type":"user","uuid":"u","message":{"role":"user","content":"', '"}}'],
      ['{"type":"assistant","uuid":"u","message":{"id":"m","content":[{"type":"text","text":"', '"}]}}'],
      ['{"type":"event_msg","payload":{"type":"user_message","message":"', '"}}'],
      ['{"type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"', '"}}'],
      ['{"type":"gemini","id":"g","content":"', '"}'],
    ],
  },
  "messages and files of the broker": {
    read: broker,
    bound: 256 * KIB,
    units: ["tls://", ",", "-----BEGIN ", "-", "\n", "a:", " ", "\u0000"],
  },
  "frames of a client": {
    read: frames,
    bound: 256 * KIB,
    units: [...WORDS, "\u001b", "\\u0000"],
    within: [
      ['A\n{"type":"hello","protocol":1,"clientKind":"browser","device":"', '"}'],
      ['A\n{"type":"ask","id":1,"op":"sendChat","params":{"text":"', '"}}'],
      ['B\n{"type":"ask","id":1,"op":"sendChat","params":{"text":"', '"}}'],
      ['A\n{"type":"delegate","id":1,"op":"writeShell","params":{"shell":1,"data":"', '"}}'],
    ],
  },
  "bodies of requests": {
    read: http,
    bound: 256 * KIB,
    units: [...WORDS, "[", '\\"'],
    within: [
      ["\u00c1command\nX-Service-Timeout: 1\n", ""],
      ['\u00c1command\nX-Service-Timeout: 1\n{"method":"sendChat","params":{"text":"', '"},"target_client_id":1}'],
      ['\u00c1command\nX-Service-Timeout: 1\n{"method":"', '"}'],
      ['Acommand\nX-Service-Timeout: 1\n{"method":"createShell","params":{"', '":1}}'],
    ],
  },
  "paths of requests": {
    read: http,
    bound: 8 * KIB,
    units: ["a/", "%61", "..%2f", "?a", "&", "a="],
    within: [
      ["\u00c0", "\n\n"],
      ["@audit?text=", "\n\n"],
    ],
  },
};

describe.each(Object.entries(ENTRY_POINTS))("%s", (_name, { read, bound, units, within = [["", ""]] }) => {
  test.each(units)("take linear time for any number of %j", async (unit) => {
    for (const [before, after] of within) {
      const inputs = new Map<number, Buffer>();
      const run = (size: number) => {
        const input =
          inputs.get(size) ??
          Buffer.concat([Buffer.from(before, "latin1"), Buffer.alloc(size, unit), Buffer.from(after)]);
        inputs.set(size, input);
        return read(input);
      };
      expect({ before, steep: await steepGrowth(run, bound) }).toEqual({ before, steep: undefined });
    }
  });
});

const timeOf = (index: number) => new Date(Date.UTC(2026, 0, 1) + 1000 * index).toISOString();
const callOf = (index: number): ApiCall => ({
  ...{ id: `m${index}`, model: "m", at: timeOf(index), subagent: false },
  tokens: { input: 1, cacheWrite: 0, cacheWrite1h: 0, cached: 0, output: 1 },
});
const pricedCallOf = (index: number) => ({
  ...{ id: `m${index}`, model: "m", at: timeOf(index) },
  ...{ input: 1, output: 1, cached: 0, cost: 1, basis: "listed" as const },
});
const promptOf = (id: string, index: number) => ({
  ...{ id, type: "user_message" as const, at: timeOf(index), text: "", data: {} },
});

/** Everything that puts the records of a transcript together, however short each of them is. */
const RECORDS: Readonly<Record<string, (count: number) => unknown>> = {
  "calls without an answer between two prompts": (count) => {
    const page = new StreamPage({ limit: 10 }, "m");
    page.sink.event(promptOf("first", 0));
    for (let index = 0; index < count; index++) page.sink.call(callOf(index));
    page.sink.event(promptOf("last", count));
    page.finish();
  },
  "calls of as many turns": (count) => {
    const prompts = Array.from({ length: count }, (_, index) => timeOf(index));
    turnsOf(
      { prompts, ends: prompts },
      Array.from({ length: count }, (_, index) => pricedCallOf(index)),
    );
  },
};

test.each(Object.entries(RECORDS))("%s take linear time for any number of them", async (_name, read) => {
  expect(await steepGrowth(read, 64 * KIB)).toBeUndefined();
});
