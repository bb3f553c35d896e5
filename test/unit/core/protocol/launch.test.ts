import { expect, test } from "vitest";
import { Argv, Variables } from "../../../../core/protocol/launch.ts";

test.each<[what: string, variables: Record<string, unknown>, part: RegExp]>([
  ["an empty name", { "": "x" }, /not the name of a variable/],
  ["a digit first", { "1A": "x" }, /not the name of a variable/],
  ["an equals sign", { "A=B": "x" }, /not the name of a variable/],
  ["a newline", { "A\n": "x" }, /not the name of a variable/],
  ["our own", { SERVICE_TOKEN: "x" }, /set by Patchbay itself/],
  ["our own to be", { PATCHBAY_NONCE: "x" }, /set by Patchbay itself/],
  ["NUL in a value", { A: "a\0b" }, /NUL/],
  ["a long value", { A: "x".repeat(40_000) }, /longer than/],
  ["too many", Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`A${index}`, ""])), /at most 500/],
  ["a number", { A: 1 }, /expected string/],
])("refuses %s", (_, variables, part) => {
  expect(Variables.safeParse(variables).error?.issues[0]?.message).toMatch(part);
});

test("accepts any value that a process can have", () => {
  const variables = { A: "", _b2: "two\nlines = 'x'", service_x: "lower case is not ours" };
  expect(Variables.parse(variables)).toEqual(variables);
});

test.each([[[]], [[""]], [["a\0"]], [["a", 1]], ["ls"], [Array.from({ length: 1001 }, () => "x")]])(
  "%.40j is no program",
  (argv) => expect(Argv.safeParse(argv).success).toBe(false),
);
