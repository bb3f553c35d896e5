import { beforeAll, describe, expect, test } from "vitest";
import { methodTypes } from "../../../../client/published/method-types.ts";
import { methodNames } from "../../../../core/commands/specs.ts";
import { operationNames } from "../../../../core/operations/index.ts";

let text: string;
beforeAll(() => {
  text = methodTypes();
});

/** What is declared for a command or an operation, below its name. */
function entryOf(name: string): string[] {
  const lines = text.split("\n");
  const at = lines.indexOf(`  ${name}: {`);
  return [lines[at - 1] ?? "", ...lines.slice(at + 1, at + 4)].map((line) => line.trim());
}

function typeOf(name: string): string {
  return new RegExp(`^(?:export )?type ${name} = (.*);$`, "m").exec(text)?.[1] ?? "";
}

test("every command and operation is declared, with its summary", () => {
  const membersOf = (name: string) => {
    const [, body = ""] = text.split(`export interface ${name} {\n`);
    const [members = ""] = body.split("\n}\n");
    return [...members.matchAll(/^ {2}\/\*\* .+ \*\/\n {2}(\w+): \{$/gm)].map(([, member]) => member);
  };
  expect(membersOf("Methods")).toEqual([...methodNames]);
  expect(membersOf("Operations")).toEqual([...operationNames]);
  expect(text).toContain("/** The commands, by their names. */\nexport interface Methods {");
  expect(text).toContain("/** The operations of the relay itself, by their names. */\nexport interface Operations {");
  expect(text).toContain("/** An event of a shell's output. */\nexport type OutputEvent = ");
});

describe("a declaration", () => {
  test("says what is needed, what may be left out, and what each means", () => {
    expect(entryOf("moveTile")).toEqual([
      "/** Move a tile beside another tile, or behind it as a tab */",
      'readonly params: { /** the tile to move */ "key": number; /** the tile to go to */ "target": number; /** side of the target, or `tab` */ "place"?: "left" | "right" | "up" | "down" | "tab" | undefined; };',
      "readonly result: TileResult;",
      "};",
    ]);
    expect(typeOf("TileResult")).toBe('{ "key": number; "shellId"?: number | undefined; }');
  });

  test("has lists, values by name, choices and null", () => {
    const [, params = "", result = ""] = entryOf("createShell");
    expect(params).toContain('"exec"?: (string)[] | undefined;');
    expect(params).toContain('"env"?: { [name: string]: string } | undefined;');
    expect(params).toContain('"tile"?: boolean | undefined;');
    expect(result).toBe('readonly result: { "shellId": number; "key"?: number | undefined; };');
    expect(entryOf("getTiles")[2]).toBe("readonly result: (Tile)[];");
    expect(entryOf("getLayout")[1]).toBe("readonly params: Record<never, never>;");
    expect(typeOf("Workspace")).toContain('"tiles": (number)[]; }');
    expect(entryOf("setBudgets")[2]).toContain('"day": (number) | (null);');
    expect(typeOf("User")).toContain('"guest"?: true | undefined;');
  });

  test("has the properties of parameters of which one of several is needed", () => {
    const [, ratio = ""] = entryOf("setRatio");
    expect(ratio).toContain('"ratio"?: number | undefined;');
    expect(ratio).toContain('"delta"?: number | undefined;');
    expect(text).not.toMatch(/readonly (params|result): \(?unknown/);
    expect(entryOf("waitFor")[1]).toContain('"idle"?: number | undefined;');
  });

  test("names a session in operations that are about one, which the client itself may know", () => {
    expect(entryOf("getQuestions")[1]).toContain('{ "session"?: string | undefined; ');
    expect(entryOf("listSessions")[1]).not.toContain('"session"');
  });

  test("has types that hold themselves once, by a name of their own", () => {
    expect(typeOf("LayoutTree")).toMatch(
      /^\(\{ "kind": "split"; .* "first": LayoutTree; "second": LayoutTree; \}\) \| \(\{ "kind": "leaf"; .*\}\)$/,
    );
    expect(text.match(/^type LayoutTree = /gm)).toHaveLength(1);
    const value = typeOf("JsonValue");
    expect(typeOf(value)).toBe(
      `(string) | (number) | (boolean) | (null) | ((${value})[]) | ({ [name: string]: ${value} })`,
    );
    expect(typeOf("JsonValueInput")).toMatch(/^broadcastEventinput__schema\d$/);
  });

  test("ends no comment early, and has no line end in one", () => {
    for (const [comment] of text.matchAll(/\/\*\*.*?\*\//g)) expect(comment).not.toContain("\n");
    expect(text.split("/**").length).toBe(text.split("*/").length);
  });

  test("declares every type that it names", () => {
    const named = [...text.matchAll(/\b[A-Z]\w+\b(?=\)?(?:\[\])?;| \}|\)\[\])/g)].map(([name]) => name);
    const missing = new Set(
      named.filter((name) => name !== "Record" && typeOf(name) === "" && !text.includes(`"${name}"`)),
    );
    expect([...missing].filter((name) => new RegExp(`: \\(?${name}\\b`).test(text))).toEqual([]);
  });
});
