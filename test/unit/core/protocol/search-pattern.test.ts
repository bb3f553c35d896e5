import fc from "fast-check";
import { expect, test } from "vitest";
import { RemoteError } from "../../../../core/protocol/errors.ts";
import { literalsOf, searchPattern } from "../../../../core/protocol/search-pattern.ts";

function found(query: string, text: string, regex = true): string[] {
  return [...searchPattern({ query, regex }).matches(text)].map(({ index, length }) =>
    text.slice(index, index + length),
  );
}

test("a text is found literally, a regular expression by its meaning, both in any case", () => {
  expect(found("a.c", "abc A.C a.c", false)).toEqual(["A.C", "a.c"]);
  expect(found("error: \\d+", "Error: 12, ERROR: x, error: 3")).toEqual(["Error: 12", "error: 3"]);
  expect(found("^start|(never)the", "x", false)).toEqual([]);
  // `$` stands at the end of a line, whatever ends it.
  expect(found("done$", "all done\r\nnot done yet\ndone")).toEqual(["done", "done"]);
});

test.each([
  ["error: \\d+ in [a-z]{3,}file", ["error: ", " in ", "file"]],
  ["colou?red", ["colo", "red"]],
  ["abcd*efg", ["abc", "efg"]],
  ["abcd{0,2}efg", ["abc", "efg"]],
  ["(optional)?needed", ["needed"]],
  ["(one|two)three", ["three"]],
  ["one|two", []],
  ["\\w+abc\\x41def\\p{Greek}ghi", ["abc", "def", "ghi"]],
  ["[]abc]def", ["def"]],
  ["[[:alpha:]xyz]abc", ["abc"]],
  ["ab.cd", []],
  ["\\Qabc.def\\E", []],
  ["(?i)abc", ["abc"]],
])("each match of %s has %j", (pattern, literals) => {
  expect(literalsOf(pattern)).toEqual(literals);
});

test("each match has the literals that an index is asked for", () => {
  const part = fc.constantFrom(
    "abc",
    "d",
    "d?",
    "d*",
    "(ef)?",
    "(gh|ij)",
    "[kl]+",
    "\\d",
    ".",
    "\\x41",
    "mno",
    "x{0,2}",
  );
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 6 }),
      fc.stringMatching(/^[a-o0-9A]{0,30}$/),
      (parts, text) => {
        const query = parts.join("");
        const literals = literalsOf(query);
        // The engine of JavaScript reads these patterns alike.
        for (const [match] of text.matchAll(new RegExp(query, "gi"))) {
          for (const literal of literals) expect(match.toLowerCase()).toContain(literal);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test("a pattern that could stop other engines takes linear time", () => {
  const started = performance.now();
  expect(found("(a+)+$needle|x", "a".repeat(1000), false)).toEqual([]);
  expect(found("needle(a+)+b", `needle${"a".repeat(50_000)}`)).toEqual([]);
  expect(performance.now() - started).toBeLessThan(5_000);
});

test.each(["(", "abc[", "abc(?=def)", "a.b", "one|two", "(?:abc)"])("%s is refused with the reason", (query) => {
  expect(() => searchPattern({ query, regex: true })).toThrow(RemoteError);
  expect(() => searchPattern({ query, regex: true })).toThrow(/^params\.query: expected a regular expression/);
});
