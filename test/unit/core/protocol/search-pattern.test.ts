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
  ["abcd{2}efgh{3,}ijk", ["abc", "efg", "ijk"]],
  ["abcd{e|fgh}", []],
  ["abcd{ef}ghi", ["abc", "ghi"]],
  ["ที่อยู่.*เชื่อม", ["ที่อยู่", "เชื่อม"]],
  ["(optional)?needed", ["needed"]],
  ["(one|two)three", ["three"]],
  ["one|two", []],
  ["\\w+abc\\x41def\\p{Greek}ghi", ["abc", "def", "ghi"]],
  ["[]abc]def", ["def"]],
  ["[[:alpha:]xyz]abc", ["abc"]],
  ["ab.cd", []],
  ["\\Qabc.def\\E", []],
  ["abc\\Q.|.\\Edef", ["abc", "def"]],
  ["abc .*\\Qd|ef\\E|warning", []],
  ["abc\\Qdef", ["abc"]],
  ["(?i)abc", ["abc"]],
  ["接続|失敗", []],
  ["接続.*失敗した?", ["接続", "失敗し"]],
  ["接.続", []],
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

test.each([
  `${"(?:.?){999}".repeat(40)}zzz`,
  "(?:(?:(?:a{9}){9}){9}){9}abc",
  `${"[a-z]{200}".repeat(3)}abc`,
  `abc${"x?".repeat(240)}(?:y{20}){2}`,
])("a pattern that repeats too much is refused at once: %s", (query) => {
  const startedAt = performance.now();
  expect(() => searchPattern({ query, regex: true })).toThrow(
    /^params\.query: expected a regular expression that repeats/,
  );
  expect(performance.now() - startedAt).toBeLessThan(50);
});

test.each([
  "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12} uuid",
  "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2} error",
  "(?:\\d{1,3}\\.){3}\\d{1,3} refused",
])("an ordinary pattern is none of those: %s", (query) => {
  expect(() => searchPattern({ query, regex: true })).not.toThrow();
});

test("a refusal of a pattern quotes what was given", () => {
  expect(() => searchPattern({ query: "(((", regex: true })).toThrow(/missing closing \): `\(\(\(`/);
});

test("a pattern that is slow on much text ends after its time", () => {
  const pattern = searchPattern({ query: `${"(?:.?){9}".repeat(12)}zzz`, regex: true }, 100);
  const text = "xy".repeat(4000);
  const startedAt = performance.now();
  for (let message = 0; message < 1000; message++) expect([...pattern.matches(text)]).toEqual([]);
  // One text may be read to its end.
  expect(performance.now() - startedAt).toBeLessThan(3000);
});
