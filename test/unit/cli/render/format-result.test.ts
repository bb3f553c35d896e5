import { expect, test } from "vitest";
import { formatResult, jsonLine } from "../../../../cli/render/format-result.ts";

const style = { json: true, isTTY: true, colour: false, columns: 80 };
/** CSI as one character, DEL, NEL, and a right-to-left override. */
const name = "a\u009b31m\u007f\u0085\u202eb\u001b[31m";

test.each([
  ["on one line", {}],
  ["with indents", { print: "json" as const }],
])("JSON %s cannot control a terminal, and means the same", async (_form, row) => {
  const text = await formatResult(row, [{ name }], style);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(JSON.parse(text)).toEqual([{ name }]);
});

test("other characters stay as they are", () => {
  expect(jsonLine({ name: "ä😀 \u00a0" })).toBe('{"name":"ä😀 \u00a0"}\n');
});
