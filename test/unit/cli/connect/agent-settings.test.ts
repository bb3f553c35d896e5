import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  claudeHooks,
  connectionState,
  geminiHooks,
  planConnect,
  planDisconnect,
} from "../../../../cli/connect/agent-settings.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-settings-"));
  file = join(folder, "settings.json");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bytes = () => readFileSync(file).toString("latin1");
const parsed = () => JSON.parse(readFileSync(file, "utf8"));

/** How agents are connected: each changes the file in its own way. */
const ways = {
  claude: {},
  "claude with a status line": { statusLine: true },
  gemini: { hooks: geminiHooks, comments: true },
} as const;
const everyWay = Object.entries(ways);

/** Connects and disconnects; returns why nothing was changed where that is so. */
function connectAndBack(before: string | Buffer, way: Parameters<typeof planConnect>[1]): string | undefined {
  writeFileSync(file, before);
  const kept = bytes();
  try {
    planConnect(file, way).apply();
  } catch (error) {
    expect(bytes()).toBe(kept);
    return String(error);
  }
  expect(connectionState(file, way?.hooks ?? claudeHooks, way?.comments ?? false)).toBe("connected");
  expect(planConnect(file, way)).toMatchObject({ events: [] });
  planDisconnect(file).apply();
  expect(bytes()).toBe(kept);
  return undefined;
}

const own = '{"matcher": "Bash", "hooks": [{"type": "command", "command": "my-linter"}]}';

describe.each(everyWay)("connecting %s and back leaves the bytes of", (_name, way) => {
  test.each([
    ["an object without anything", "{}"],
    ["one with a final newline", "{}\n"],
    ["one with space", "{ }"],
    ["one over two lines", "{\n}\n"],
    ["one over two lines of Windows", "{\r\n}\r\n"],
    ["an empty file", ""],
    ["an empty line", "\n"],
    ["empty lines of Windows", "\r\n \t\r\n"],
    ["empty hooks", '{"hooks":{}}'],
    ["empty hooks with space", '{\n  "hooks": {\n  }\n}\n'],
    ["an event without hooks", '{"hooks":{"Stop":[]}}'],
    ["events without hooks", '{"hooks": {"Stop": [ ], "SessionEnd": [\n] }}'],
    ["one line", '{"model":"opus","env":{"A":"b"}}'],
    ["two spaces and no final newline", '{\n  "model": "opus"\n}'],
    ["four spaces", '{\n    "env": {\n        "A": "b"\n    }\n}\n'],
    ["tabs", '{\n\t"env": {\n\t\t"A": [1,2]\n\t}\n}\n'],
    ["odd indentation", '{\n "a":1,\n      "b" : [ 1,\n2 ]  }\n\n'],
    ["the comma first", '{ "a": 1\n, "b": 2\n}\n'],
    ["lines of Windows", `{\r\n  "model": "opus",\r\n  "hooks": {\r\n    "Stop": [${own}]\r\n  }\r\n}\r\n`],
    ["escapes", '{"a": "\\u00fc\\/\\u0022", "\\u0061b": "ü"}'],
    ["numbers", '{"a": 1.0, "b": 12345678901234567890, "c": 1E+2, "d": -0}'],
    ["keys written twice", '{"a": 1, "a": 2, "hooks": {"Stop": [], "Stop": []}}'],
    ["hooks written twice", `{"hooks": {"Stop": [${own}]}, "hooks": {}}`],
    [
      "hooks of the user",
      `{\n  "hooks": {\n    "Stop": [\n      ${own}\n    ],\n    "Mine": [${own}]\n  },\n  "z": 1\n}\n`,
    ],
    ["hooks with an escaped name", `{"ho\\u006fks": {"St\\u006fp": [${own}]}}`],
    ["a key of prototypes", '{"__proto__": {"a": 1}, "constructor": 1}'],
    ["a status line", '{"statusLine": {"padding": 1.0, "command": "t\\u0072 a \\"b\\" \\\\", "type": "command"}}'],
  ])("%s", (_case, text) => {
    expect(connectAndBack(text, way)).toBeUndefined();
  });

  test.each([
    ["a byte order mark", "\ufeff{}"],
    ["a byte order mark alone", "\ufeff"],
    ["a list", "[]"],
    ["a comma at the end", '{"a": 1,}'],
    ["no JSON", "{'a': 1}"],
    ["half of it", '{"a": 1'],
    ["hooks of another form", '{"hooks": {"Stop": {}}}'],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ["ten thousand lists in each other", `{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`],
  ])("a file that is refused: %s", (_case, text) => {
    expect(connectAndBack(text, way)).toMatch(/nothing was changed/);
  });
});

test("connecting and back leaves the bytes of any settings, in any form", () => {
  const space = fc.constantFrom("", "", " ", "  ", "\n", "\n  ", "\r\n\t", "\n\n    ");
  const comment = fc.constantFrom("", "", "", "/* one */", "// two\n", "/* a, b: {} */\n");
  const text = fc.constantFrom('"a"', '"\\u00fc"', '"\\\\\\""', '"//x"', '"/*"', '"ü"');
  const gap = (comments: boolean) =>
    comments ? fc.tuple(space, comment, space).map((parts) => parts.join("")) : space;
  const hook = fc.constantFrom(own, '{"hooks":[]}', '{"hooks":[{"type":"command","command":"x"},{}]}');
  const listed = (gaps: fc.Arbitrary<string>, [open, close]: string, items: fc.Arbitrary<string>) =>
    fc.tuple(fc.array(fc.tuple(gaps, items, gaps), { maxLength: 3 }), gaps).map(([all, rest]) => {
      const body = all.map((parts) => parts.join("")).join(",");
      return `${open}${body}${rest}${close}`;
    });
  const settings = (comments: boolean) => {
    const gaps = gap(comments);
    const property = (name: fc.Arbitrary<string>, value: fc.Arbitrary<string>) =>
      fc.tuple(name, gaps, gaps, value).map(([key, before, after, json]) => `${key}${before}:${after}${json}`);
    const plain = fc.oneof(text, fc.constantFrom("1.0", "null", "-0", "1e3", "[]", "{}", "[1,\n2]"));
    const groups = listed(gaps, "[]", hook);
    const events = fc.constantFrom('"Stop"', '"PermissionRequest"', '"Notification"', '"AfterTool"', '"Mine"');
    const hooks = property(
      fc.constantFrom('"hooks"', '"hooks"', '"h\\u006foks"'),
      listed(gaps, "{}", property(events, groups)),
    );
    const line = fc.constantFrom(
      '{"type":"command","command":"date"}',
      '{ "command" : "\\u0061\\n" , "type":"command"}',
    );
    const others = property(fc.constantFrom('"a"', '"b"', '"__proto__"'), plain);
    const all = listed(gaps, "{}", fc.oneof(others, others, hooks, property(fc.constant('"statusLine"'), line)));
    return fc.oneof(
      { weight: 9, arbitrary: fc.tuple(gaps, all, gaps).map((parts) => parts.join("")) },
      { weight: 1, arbitrary: space },
    );
  };
  const way = fc.constantFrom(...Object.values(ways));
  const given = way.chain((parts) => settings("comments" in parts).map((json) => ({ parts, json })));
  fc.assert(
    fc.property(given, ({ parts, json }) => {
      expect(connectAndBack(json, parts)).toBeUndefined();
    }),
    { numRuns: 300 },
  );
});

test("Gemini CLI reads comments, Claude Code does not", () => {
  const text = '{\n  // mine\n  "model": "x" // the best\n  /* and no more */\n}\n';
  expect(connectAndBack(text, ways.gemini)).toBeUndefined();
  expect(connectAndBack(text, ways.claude)).toMatch(/is not valid JSON, so nothing was changed/);
});

test("what others write meanwhile stays, and is all that is left", () => {
  writeFileSync(file, "{}");
  planConnect(file, { statusLine: true }).apply();
  // As Claude Code does when a setting is chosen in it.
  writeFileSync(file, `${JSON.stringify({ ...parsed(), model: "opus" }, undefined, 2)}\n`);
  planDisconnect(file).apply();
  expect(parsed()).toEqual({ model: "opus" });
});

test("a file that is there stays, also when another program has written it anew; one that is not is removed again", () => {
  writeFileSync(file, "{}");
  planConnect(file).apply();
  writeFileSync(file, `${JSON.stringify(parsed(), undefined, 2)}\n`);
  planDisconnect(file).apply();
  expect(parsed()).toEqual({});
  rmSync(file);
  planConnect(file, { statusLine: true }).apply();
  expect(Object.keys(parsed())).toEqual(["hooks", "statusLine"]);
  planDisconnect(file).apply();
  expect(existsSync(file)).toBe(false);
});

test("hooks of an earlier version are replaced in their place", () => {
  const before = '{\n  "hooks": {"Stop": [ ]},\n  "a": 1.0\n}';
  writeFileSync(file, before);
  planConnect(file).apply();
  const connected = bytes();
  writeFileSync(file, connected.replaceAll('"timeout": 10', '"timeout": 5'));
  expect(connectionState(file)).toBe("incomplete");
  planConnect(file).apply();
  expect(bytes()).toBe(connected);
  planDisconnect(file).apply();
  expect(bytes()).toBe(before);
});

test("a status line of another form is refused, and the mode of the file stays", () => {
  for (const line of ["{}", '{"type":"text","command":"x"}', '{"type":"command"}'])
    expect(connectAndBack(`{"statusLine":${line}}`, { statusLine: true })).toMatch(/runs no command/);
  writeFileSync(file, "{}");
  chmodSync(file, 0o640);
  planConnect(file).apply();
  expect(statSync(file).mode & 0o777).toBe(0o640);
});

test("a file that repeats our hooks without end is refused", () => {
  planConnect(file).apply();
  const [group] = parsed().hooks.Stop;
  writeFileSync(file, JSON.stringify({ hooks: { Stop: Array.from({ length: 101 }, () => group) } }));
  expect(() => planDisconnect(file)).toThrow(/more than 100 hooks/);
});
