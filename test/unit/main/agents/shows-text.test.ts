import { expect, test } from "vitest";
import { showsText } from "../../../../main/agents/shows-text.ts";

test.each([
  ["› look at the parser", "look at the parser", true],
  ["┃ look at the pa ┃\n┃ rser, please   ┃", "look at the parser, please", true],
  ["❯ look at the parser", "look at the lexer", false],
  ["  Done: the file is `a.ts` now", "**Done**: the file is `a.ts` now", true],
  ["> a long first line that is shown\n> and the second", "a long first line that is shown\nand the second", true],
  // A short text counts as a whole line only, with the mark of a message before it.
  ["› hi", "hi", true],
  ["  ✦ hi  ", "hi", true],
  ["this is another agent's banner", "hi", false],
  ["› hi there", "hi", false],
  ["› 日本語です", "日本語です", true],
  ["", "", false],
  ["anything", "   ", false],
])("the screen %j shows %j: %s", (screen, text, expected) => {
  expect(showsText(screen, text)).toBe(expected);
});

test("reads a long text up to a bound", () => {
  const text = `${"x".repeat(59)} ${"y".repeat(1_000_000)}`;
  expect(showsText("x".repeat(59), text)).toBe(false);
  expect(showsText(`${"x".repeat(59)}y`, text)).toBe(true);
});
