import { expect, test } from "vitest";
import { isDenseJson } from "../../../../main/agents/dense-json.ts";

const dense = (text: string) => {
  const bytes = Buffer.from(`xx${text}xx`);
  return isDenseJson(bytes, 2, bytes.length - 2);
};

test.each([
  ["of empty lists", `[${"[],".repeat(150_000)}1]`],
  ["of numbers", `[${"1,".repeat(150_000)}1]`],
  ["of objects one in another", '{"a":'.repeat(150_000)],
  ["behind a text with a quote in it", `["\\"",${"1,".repeat(150_000)}1]`],
  ["behind a text that ends with a backslash", `["\\\\",${"1,".repeat(150_000)}1]`],
])("a text %s takes long to parse", (_, text) => {
  expect(dense(text)).toBe(true);
});

test.each([
  ["a long image", `["${"A".repeat(5_000_000)}"]`],
  ["a long text with commas and quotes", JSON.stringify([`a, "b", [c] `.repeat(100_000)])],
  ["a short list", `[${"1,".repeat(10)}1]`],
  ["a text that is not ended", `["${"a,".repeat(150_000)}`],
])("%s does not", (_, text) => {
  expect(dense(text)).toBe(false);
});
