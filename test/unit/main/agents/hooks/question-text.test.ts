import { expect, test } from "vitest";
import { line } from "../../../../../main/agents/hooks/question-text.ts";

test("a text is cut to one line, never within a character, and says so", () => {
  expect(line("a".repeat(60), 60)).toBe("a".repeat(60));
  expect(line("a\nb", 60)).toBe("a b");
  expect(line("a".repeat(61), 60)).toBe(`${"a".repeat(59)}…`);
  expect(line(`${"a".repeat(58)}😀bc`, 60)).toBe(`${"a".repeat(58)}…`);
  // What is left out at the beginning leaves room for the character at which the rest was cut.
  expect(line(`${"\u200b".repeat(99)}${"a".repeat(20)}😀b`, 60)).toBe(`${"a".repeat(20)}…`);
});
