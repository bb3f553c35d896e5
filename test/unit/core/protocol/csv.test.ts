import { expect, test } from "vitest";
import { csvText } from "../../../../core/protocol/csv.ts";

test("a table has a header, quotes what needs it, and has nothing that a spreadsheet would evaluate", () => {
  const text = csvText(
    ["who", "sum"],
    [
      ['says "no", twice', 1.5],
      ["=1+1", -2],
    ],
  );
  expect(text).toBe('who,sum\r\n"says ""no"", twice",1.5\r\n\'=1+1,-2\r\n');
});

test.each([
  ["model;=HYPERLINK(1)", "model;'=HYPERLINK(1)"],
  ["a\n-1", '"a\n\'-1"'],
  ["a\t@b", "a\t'@b"],
  ["\uff1d1", "'\uff1d1"],
  ["gpt-5; a+b", "gpt-5; a+b"],
])("%j has no formula in any cell that a spreadsheet makes of it", (text, shown) => {
  expect(csvText([text], [])).toBe(`${shown}\r\n`);
});
