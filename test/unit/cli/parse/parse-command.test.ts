import { describe, expect, test } from "vitest";
import { splitCommandWords } from "../../../../cli/commands/func.ts";
import { allCommands, commandNamed } from "../../../../cli/parse/command-table.ts";
import { parseCommand } from "../../../../cli/parse/parse-command.ts";
import { specs } from "../../../../core/commands/specs.ts";
import { parseParams } from "../../../../core/protocol/parse-params.ts";

function parse(...words: string[]) {
  const { name = "", before, rest } = splitCommandWords(words);
  const row = commandNamed(name);
  if (row === undefined) throw new Error(`no command ${name}`);
  const parsed = parseCommand(row, { before, rest }, "service");
  if (typeof parsed === "string") throw new Error("help");
  return parsed;
}

describe("understands", () => {
  const cases: [string[], params: object, globals?: object][] = [
    [["set-ratio", "0.3"], { ratio: 0.3 }],
    [["set-ratio", "-1"], { ratio: -1 }],
    [["set-ratio", "--tile", "4", "2"], { ratio: 2, tile: 4 }],
    [["set-ratio", "+0.1"], { delta: 0.1 }],
    [["set-ratio", "-.25", "--tile", "4"], { delta: -0.25, tile: 4 }],
    [["set-ratio", "--delta", "-0.1"], { delta: -0.1 }],
    [["switch-workspace", "1"], { index: 1 }],
    [["switch-workspace", "servers"], { name: "servers" }],
    [["create-shell", "--exec", "htop -d 5"], { exec: ["htop", "-d", "5"] }],
    [["create-shell", "--exec", "my program", "a b"], { exec: ["my program", "a b"] }],
    [["create-shell", "--hold", "--", "ls", "-l", "--json"], { exec: ["ls", "-l", "--json"], hold: true }],
    [["split-v", "--exec", "ls", "--", "-l"], { direction: "vertical", exec: ["ls", "-l"] }],
    [["create-shell", "--env", "A=1", "--env", "B=x=y", "--env", "C="], { env: { A: "1", B: "x=y", C: "" } }],
    [["send-keys", "1", "C-c"], { id: 1, keys: ["C-c"] }],
    [["send-keys", "1"], { keys: ["1"] }],
    [["send-keys", "Up", "Up"], { keys: ["Up", "Up"] }],
    [["send-keys", "--match", "title:vim", "1", "Enter"], { match: "title:vim", keys: ["1", "Enter"] }],
    [["send-keys", "2", "--", "-x"], { id: 2, keys: ["-x"] }],
    [["close-shell", "--match", "title:x"], { match: "title:x" }],
    [["write-to-shell", "--match", "title:x", "5"], { match: "title:x", data: "5" }],
    [["broadcast-input", "ls\\n", "--ids", "1,2"], { data: "ls\\n", ids: "1,2" }],
    [["swap-tiles", "1", "2"], { keyA: 1, keyB: 2 }],
    [["write-to-shell", "1", "ls\\n"], { id: 1, data: "ls\\n" }],
    [["write-to-shell", "ls\\n"], { data: "ls\\n" }],
    [["write-to-shell", "1", "--", "-x"], { id: 1, data: "-x" }],
    [["rename-tile", "build"], { name: "build" }],
    [["rename-tile", "", "3"], { name: "", key: 3 }],
    [["run", "npm", "test", "--wait", "--timeout", "300"], { command: "npm test", wait: true, timeout: 300 }],
    [["run", "--", "ls", "-l"], { command: "ls -l" }],
    [["split-h", "--no-focus"], { direction: "horizontal", focus: false }],
    [["answer-adopt", "1", "--no-allow"], { request: 1, allow: false }],
    [["list-user-tiles", "2"], {}, { client: 2 }],
    [["broadcast-event", "a.b", "--data", '{"ok":true}'], { type: "a.b", data: { ok: true } }],
    [
      ["get-agent-events", "x", "--types", "tool_call,user_message", "--limit", "2"],
      { sessionId: "x", types: "tool_call,user_message", limit: 2 },
    ],
    [["get-shell-output", "1", "--max-bytes", "10"], { id: 1, maxBytes: 10 }],
    [
      ["--session", "work", "--json", "list-tiles", "--client", "desktop"],
      {},
      { session: "work", json: true, client: "desktop" },
    ],
    [
      ["--url", "http://r", "open-tile", "browser", "--url", "http://w"],
      { type: "browser", url: "http://w" },
      { url: "http://r" },
    ],
    [["list-tiles", "--timeout", "2.5", "--client", "-1"], {}, { timeout: 2.5, client: -1 }],
  ];
  test.each(cases)("%j", (words, params, globals = {}) => {
    expect(parse(...words)).toEqual({ params, globals });
  });
});

describe("refuses with exit code 2", () => {
  const cases: [string[], sentence: RegExp][] = [
    [["set-ratio"], /ratio is missing\. Usage: service func set-ratio \[options\] <ratio>/],
    [["close-shell"], /id is missing/],
    [["get-shell-output", "--lines", "3"], /id is missing/],
    [["switch-workspace"], /index is missing/],
    [["send-keys"], /keys is missing/],
    [["create-shell", "--exec", "ls", "-l"], /unknown option '-l'.*after --/],
    [["create-shell", "--exec", "'open"], /not closed/],
    [["create-shell", "--env", "A"], /--env: expected NAME=VALUE/],
    [["set-ratio", "much"], /ratio: expected a number, got "much"/],
    [["set-ratio", "0x10"], /expected a number/],
    [["set-ratio", "0.3", "0.4"], /one word too many, "0.4"/],
    [["set-ratio", "0.3", "--til", "4"], /unknown option '--til' .*--tile/],
    [["set-ratio", "0.3", "--tile"], /argument missing/],
    [["focus-direction", "sideways"], /expected one of left, right, up, down/],
    [["move-tile", "1", "2", "--place", "x"], /Allowed choices are left, right, up, down, tab/],
    [["broadcast-event", "a", "--data", "{ok"], /--data: expected JSON/],
    [["setup"], /option --grid is missing/],
    [["create-shell", "ls"], /Did you mean `-- ls` for a program or `--cwd ls`/],
    [["split-h", "3"], /Did you mean `-- 3` for a program or `--tile 3`/],
    [["list-tiles", "--client", "mine"], /id of a client or the word desktop/],
    [["close-tile", "--tile", "1", "--constructor"], /unknown option/],
  ];
  test.each(cases)("%j", (words, sentence) => {
    expect(() => parse(...words)).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringMatching(sentence) }),
    );
  });
});

test("every example of every command is understood, by the parser and by the declaration", () => {
  const examples = allCommands().flatMap((row) => row.examples.map((example) => ({ row, example })));
  expect(examples.length).toBeGreaterThan(30);
  for (const { row, example } of examples) {
    const { params } = parse(...shellWords(example));
    expect(() => parseParams(specs[row.method].params, params), example).not.toThrow();
  }
});

test("every command has help with its usage, arguments, options and examples", () => {
  for (const row of allCommands()) {
    const help = parseCommand(row, { rest: ["--help"] }, "service");
    expect(help).toEqual(expect.stringContaining(`Usage: service func ${row.name}`));
    for (const { word, byPosition } of row.params) expect(help).toContain(byPosition ? `  ${word}` : word);
    for (const example of row.examples) expect(help).toContain(`service func ${example}`);
  }
});

/** Splits as a shell would, as far as the examples go. */
function shellWords(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
}
