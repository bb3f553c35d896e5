import { expect, test } from "vitest";
import { ligatureRanges } from "../../../../../renderer/session/terminal/ligatures.ts";

test.each<[string, readonly string[]]>([
  ["a != b", ["!="]],
  ["x=>y<=>z", ["=>", "<=>"]],
  ["--- 1/2 -", ["---"]],
  ["www.example.org://", ["www", "://"]],
  ["wwww", []],
  ["=".repeat(9), []],
  ["=".repeat(8), ["=".repeat(8)]],
  ["ls -la", []],
])("of %j the signs that belong together are drawn in one piece", (text, pieces) => {
  expect(ligatureRanges(text).map(([start, end]) => text.slice(start, end))).toEqual(pieces);
});
