import fc from "fast-check";
import { expect, test } from "vitest";
import { plainText, TextRuns } from "../../../../main/shells/plain-text.ts";
import { output } from "./terminal-bytes.ts";

test.each([
  ["\u001b[1;31mred\u001b[0m\r\n", "red\n"],
  ["\u001b]8;;https://example.org\u001b\\link\u001b]8;;\u001b\\", "link"],
  ["\u001bP+q544e\u001b\\after", "after"],
  ["10%\r50%\r100%\r\n", "100%\n"],
  ["abx\bc", "abc"],
  ["tab\tbed\u0007", "tab\tbed"],
  ["世界\u009b31m🎉", "世界🎉"],
])("%j reads %j", (bytes, expected) => {
  expect(plainText(Buffer.from(bytes))).toBe(expected);
});

test("runs stand where they say, whatever the bytes", () => {
  fc.assert(
    fc.property(output, (bytes) => {
      for (const { text, offset } of new TextRuns().read(bytes, 0)) {
        const length = Buffer.byteLength(text);
        const there = bytes.subarray(offset, offset + length);
        const told = Buffer.from(text);
        // A substitute stands for any byte; all others are the bytes themselves.
        expect([...told].every((byte, index) => byte === 0x1a || byte === there[index])).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
});
