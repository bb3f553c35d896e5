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
