import { expect, test } from "vitest";
import { hasMoreValues } from "../../../../main/agents/json-values.ts";

const count = (text: string) => {
  const bytes = Buffer.from(`[[[${text}`);
  let most = 0;
  while (hasMoreValues(bytes, 3, bytes.length, most)) most += 1;
  return most;
};

test.each([
  ["null", 0],
  ["[]", 1],
  ['{"a":1,"b":[true,{}]}', 5],
  [String.raw`"a,[{\\\",[{\\"`, 0],
  ['["a","b,c"]', 2],
  ['"unfinished,[{', 0],
])("lists, objects and commas in %s are counted, those in texts are none", (text, expected) => {
  expect(count(text)).toBe(expected);
});
