import { expect, test } from "vitest";
import { firstCharacters } from "../../../../core/protocol/first-characters.ts";
import { givenName } from "../../../../core/protocol/given-name.ts";

test.each([
  ["", ""],
  ["abc", "abc"],
  ["abcd", "abc"],
  ["🦀🦀🦀", "🦀🦀🦀"],
  ["🦀🦀🦀🦀", "🦀🦀🦀"],
  ["ab🦀d", "ab🦀"],
])("of %j three characters are %j", (text, start) => {
  expect(firstCharacters(text, 3)).toBe(start);
});

test("a name that was cut so is one that is taken", () => {
  const name = givenName(200);
  const long = "🦀".repeat(201);
  expect(name.safeParse(long).success).toBe(false);
  expect(name.parse(firstCharacters(long, 200))).toBe("🦀".repeat(200));
});
