import { expect, test } from "vitest";
import { shownLine } from "../../../../core/protocol/shown-line.ts";

test.each([
  ["https://example.com/a?b=c#d", "https://example.com/a?b=c#d"],
  ["https://example.com/\u202emoc.elgoog//:sptth", "https://example.com/moc.elgoog//:sptth"],
  ["https://exam\u200bple.com/\u0007\u009b", "https://example.com/"],
  ["rm -rf x\r\n\r\n\ty", "rm -rf x y"],
  ["büro 工作", "büro 工作"],
])("%j is shown as %j", (text, shown) => expect(shownLine(text, 60)).toBe(shown));

test("a long text is cut, never within a character, and says so", () => {
  expect(shownLine("a".repeat(60), 60)).toBe("a".repeat(60));
  expect(shownLine("a".repeat(10_000_000), 60)).toBe(`${"a".repeat(59)}…`);
  expect(shownLine(`${"a".repeat(58)}😀b`, 60)).toBe(`${"a".repeat(58)}…`);
  // What is hidden is not shown as a text that has ended.
  expect(shownLine(`a${"\u200b".repeat(300)}rm`, 60)).toBe("a…");
});
