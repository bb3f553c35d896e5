import { expect, test } from "vitest";
import { matchesPattern, namesOf, patternNames } from "../../../../../../main/relay/access/permits/method-pattern.ts";

test.each([
  ["getShells", "getShells", true],
  ["getShells", "get*", true],
  ["getShells", "*", true],
  ["getShells", "*Shells", true],
  ["getShells", "g*S*s", true],
  ["getShells", "get", false],
  ["getShells", "shells", false],
  ["getShells", "GET*", false],
  ["getShells", "get.*", false],
  ["getShells", "getS*Shells", false],
  ["aba", "ab*ba", false],
  ["abba", "ab*ba", true],
  ["abcabc", "*abc*abc*", true],
  ["abc", "*abc*abc*", false],
  ["getShells", "", false],
  ["", "*", true],
])("%j fits %j: %s", (name, pattern, fits) => {
  expect(matchesPattern(name, pattern)).toBe(fits);
});

test("a pattern with many stars is not slow", () => {
  const start = performance.now();
  expect(matchesPattern("a".repeat(10_000), `${"a*".repeat(50)}b`)).toBe(false);
  expect(performance.now() - start).toBeLessThan(200);
});

test("a method goes by its spellings too, and what is no method has its own name only", () => {
  expect(namesOf("getShells")).toEqual(["getShells", "list-shells"]);
  expect(namesOf("createInvite")).toEqual(["createInvite"]);
  expect(namesOf("constructor")).toEqual(["constructor"]);
  expect(patternNames()).toEqual(expect.arrayContaining(["getShells", "split-h", "events", "createSession"]));
});
