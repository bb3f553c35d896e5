import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCells, parseCommands, parseGrid, type TabSpec } from "../../../../core/layout/setup-grammar.ts";
import { RemoteError } from "../../../../core/protocol/errors.ts";
import { runs } from "./arbitrary-workspace.ts";

describe("parseGrid", () => {
  test.each([
    ["3x2", { columns: 3, rows: 2 }],
    ["1x1", { columns: 1, rows: 1 }],
    [" 16 X 16 ", { columns: 16, rows: 16 }],
  ])("reads %j", (text, grid) => {
    expect(parseGrid(text)).toEqual(grid);
  });

  test.each(["", "3", "3x", "x2", "0x2", "17x1", "3x2x1", "-1x2", "1.5x2", "3*2", "a".repeat(1_000_000)])(
    "refuses %.20j",
    (text) => {
      expect(() => parseGrid(text)).toThrow(refusal("params.grid: expected columns x rows such as 3x2"));
    },
  );
});

describe("parseCells", () => {
  test.each<[string, TabSpec[][]]>([
    ["", []],
    ["shell", [[{ type: "shell" }]]],
    ["shell,", [[{ type: "shell" }], [{ type: "shell" }]]],
    ["tunnel:3000,,browser", [[{ type: "tunnel", port: 3000 }], [{ type: "shell" }], [{ type: "browser" }]]],
    [" shell + tunnel : 80 ", [[{ type: "shell" }, { type: "tunnel", port: 80 }]]],
    [
      "shell:htop+shell,tunnel:3000,browser:http://127.0.0.1:7717/v1/docs,shell",
      [
        [{ type: "shell", command: "htop" }, { type: "shell" }],
        [{ type: "tunnel", port: 3000 }],
        [{ type: "browser", url: "http://127.0.0.1:7717/v1/docs" }],
        [{ type: "shell" }],
      ],
    ],
    ["browser:http://x/?q=a+b", [[{ type: "browser", url: "http://x/?q=a+b" }]]],
    ["browser:localhost:3000", [[{ type: "browser", url: "http://localhost:3000" }]]],
    ["browser:example.org:8443/a?b", [[{ type: "browser", url: "https://example.org:8443/a?b" }]]],
    [
      "shell@/srv/app:make+plugin:agent-cost,peek:3",
      [
        [
          { type: "shell", cwd: "/srv/app", command: "make" },
          { type: "plugin", plugin: "agent-cost" },
        ],
        [{ type: "peek", shell: 3 }],
      ],
    ],
    ["shell@'/srv/a:b'", [[{ type: "shell", cwd: "/srv/a:b" }]]],
    ["browser:http://x/+shell", [[{ type: "browser", url: "http://x/" }, { type: "shell" }]]],
    ["browser:'http://x/+shell'", [[{ type: "browser", url: "http://x/+shell" }]]],
    ["shell:expr 1+2+shelley", [[{ type: "shell", command: "expr 1+2+shelley" }]]],
    ["shell:'echo a, b'", [[{ type: "shell", command: "echo a, b" }]]],
    ['"shell:echo a, b"+shell', [[{ type: "shell", command: "echo a, b" }, { type: "shell" }]]],
    ["shell+'shell:echo a, b'", [[{ type: "shell" }, { type: "shell", command: "echo a, b" }]]],
    ['shell:git commit -m "a, b"', [[{ type: "shell", command: 'git commit -m "a, b"' }]]],
    [`shell:"it's"`, [[{ type: "shell", command: "it's" }]]],
    [`"shell:'my program'"`, [[{ type: "shell", command: "'my program'" }]]],
    ["shell:echo a:b", [[{ type: "shell", command: "echo a:b" }]]],
  ])("reads %j", (text, cells) => {
    expect(parseCells(text)).toEqual(cells);
  });

  test.each([
    ["'", "is not closed"],
    ["shell,shel", "params.tiles: cell 2: expected shell[:command], tunnel:<port> or browser[:url]"],
    ["shell+tunel:1", 'got "shell+tunel:1"'],
    ["tunnel", "params.tiles: cell 1: expected tunnel:<port> with a port from 1 to 65535"],
    ["tunnel:0", "port from 1 to 65535"],
    ["tunnel:65536", "port from 1 to 65535"],
    ["tunnel:80a", "port from 1 to 65535"],
    ["browser:javascript:alert(1)", "http or https address"],
    ["browser:localhost", "http or https address"],
    ["tunnel@/srv:3000", "shell@<folder>"],
    ["shell@", "shell@<folder> with a folder"],
    ["peek:0", "peek:<shell>"],
    ["plugin", "plugin:<id>"],
    ["shell:echo a, b", "with quotes around what holds a comma"],
    ["shell:echo it's,shell", 'params.tiles: the \' before "s,shell" is not closed'],
  ])("refuses %j", (text, message) => {
    expect(() => parseCells(text)).toThrow(refusal(message));
  });
});

describe("parseCommands", () => {
  test.each([
    ["", []],
    ["echo a,'echo b, c'", ["echo a", "echo b, c"]],
    ['echo "a, b" , ls', ['echo "a, b"', "ls"]],
    ["a,,b", ["a", "", "b"]],
    ["'a' b 'c'", ["'a' b 'c'"]],
    [`"it's, so"`, ["it's, so"]],
  ])("reads %j", (text, commands) => {
    expect(parseCommands(text)).toEqual(commands);
  });

  test("refuses an open quote", () => {
    expect(() => parseCommands('ls,echo "a')).toThrow(refusal('params.commands: the " before "a" is not closed'));
  });
});

describe("any text", () => {
  test("is read or refused with a RemoteError that names its path", () => {
    const pieces = fc.constantFrom(
      "shell",
      "tunnel",
      "browser",
      ":",
      "+",
      ",",
      "'",
      '"',
      " ",
      "http://",
      "1",
      "x",
      "\0",
    );
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(pieces).map((list) => list.join("")),
    );
    fc.assert(
      fc.property(texts, (text) => {
        for (const parse of [parseGrid, parseCells, parseCommands]) {
          try {
            parse(text);
          } catch (error) {
            expect(error).toBeInstanceOf(RemoteError);
            expect(error).toMatchObject({ message: expect.stringMatching(/^params\.(grid|tiles|commands): /) });
          }
        }
      }),
      { numRuns: 3000 },
    );
  });

  test("that was printed from cells reads as the same cells", () => {
    fc.assert(
      fc.property(fc.array(fc.array(tab, { minLength: 1 }), { minLength: 1 }), (cells) => {
        expect(parseCells(cells.map((cell) => cell.map(print).join("+")).join(","))).toEqual(cells);
      }),
      runs,
    );
  });

  test("that was printed from commands reads as the same commands", () => {
    fc.assert(
      fc.property(fc.array(command, { minLength: 1 }), (commands) => {
        expect(parseCommands(commands.map(quoted).join(","))).toEqual(commands);
      }),
      runs,
    );
  });
});

const refusal = (part: string) =>
  expect.objectContaining({ code: "invalid_params", message: expect.stringContaining(part) });

/** Anything that one kind of quotes can enclose. */
const command = fc.string({ minLength: 1 }).filter((text) => !(text.includes("'") && text.includes('"')));

const tab: fc.Arbitrary<TabSpec> = fc.oneof(
  fc.constant({ type: "shell" } as const),
  command.map((text) => ({ type: "shell", command: text }) as const),
  fc.integer({ min: 1, max: 65_535 }).map((port) => ({ type: "tunnel", port }) as const),
  fc.constant({ type: "browser" } as const),
  command
    .filter((text) => text.trim() !== "")
    .map((text) => ({ type: "shell", cwd: `/srv/${text.trim()}`, command: "make" }) as const),
  fc.integer({ min: 1, max: 9_999 }).map((shell) => ({ type: "peek", shell }) as const),
  fc.constant({ type: "plugin", plugin: "agent-cost" } as const),
  fc.webUrl({ withQueryParameters: true }).map((url) => ({ type: "browser", url: url.replaceAll("'", "") }) as const),
);

function print(spec: TabSpec): string {
  switch (spec.type) {
    case "shell": {
      const place = spec.cwd === undefined ? "shell" : `shell@${quoted(spec.cwd)}`;
      return spec.command === undefined ? place : `${place}:${quoted(spec.command)}`;
    }
    case "plugin":
      return `plugin:${spec.plugin}`;
    case "peek":
      return `peek:${spec.shell}`;
    case "tunnel":
      return `tunnel:${spec.port}`;
    case "browser":
      return spec.url === undefined ? "browser" : `browser:${quoted(spec.url)}`;
  }
}

function quoted(text: string): string {
  return text.includes("'") ? `"${text}"` : `'${text}'`;
}
