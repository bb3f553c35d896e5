import { expect, test } from "vitest";
import { lineInput, pasteInput } from "../../../../main/shells/type-line.ts";

test.each([
  ["a simple line is typed", "ls -l", true, "ls -l\r"],
  ["several lines are pasted where the shell asks for it", "a\nb", true, "\u001b[200~a\rb\u001b[201~\r"],
  ["several lines are typed where it does not", "a\r\nb", false, "a\rb\r"],
  ["a tab would complete, so it is pasted", "a\tb", true, "\u001b[200~a\tb\u001b[201~\r"],
])("%s", (_name, line, bracketed, expected) => {
  expect(lineInput(line, bracketed)).toBe(expected);
});

test("a paste cannot end its own bracket", () => {
  const hostile = "a\u001b[201~b\u001b[20\u001b[201~1~c";
  expect(pasteInput(hostile, true)).toBe("\u001b[200~abc\u001b[201~");
});
