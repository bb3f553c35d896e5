import { expect, test } from "vitest";
import { formatBytes } from "../../../../core/protocol/format-bytes.ts";

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [1000, "1 kB"],
  [3_440_000, "3.4 MB"],
  [2_000_000_000_000, "2,000 GB"],
])("%i bytes are %s", (bytes, words) => {
  expect(formatBytes(bytes, "en")).toBe(words);
});

test("a locale has its own signs", () => {
  expect(formatBytes(3_440_000, "de").replace(/\s/g, " ")).toBe("3,4 MB");
});
