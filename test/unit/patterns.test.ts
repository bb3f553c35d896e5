import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { digestOfPattern, judgePattern, LINEAR_PATTERNS, timeOfPattern } from "../support/pattern-time.ts";
import { patternsIn, productPatterns } from "../support/patterns.ts";

const ALL_MS = 600_000;

const patterns = productPatterns();

test("the product's patterns are found", () => {
  expect(patterns.length).toBeGreaterThan(400);
});

test("each pattern takes time linear in its text, or says above itself why that does not matter", {
  timeout: ALL_MS,
}, () => {
  const objections = patterns.flatMap(({ file, line, source, flags, reason }) => {
    if (reason !== undefined) return [];
    const time = source === undefined ? "not known before it is made" : timeOfPattern(source, flags);
    return time === "linear" ? [] : [`${file}:${line} ${time}: /${source ?? ""}/${flags}`];
  });
  expect(objections).toEqual([]);
});

test("each pattern without an exemption is on the list of those that are known to be linear", () => {
  const known = new Set(readFileSync(LINEAR_PATTERNS, "utf8").split("\n"));
  const missing = patterns.flatMap(({ file, line, source, flags, reason }) =>
    source === undefined || reason !== undefined || known.has(digestOfPattern(source, flags))
      ? []
      : [`${file}:${line}`],
  );
  expect(missing, "to judge and list them: npx vitest run --project unit test/unit/patterns.test.ts -u").toEqual([]);
});

test("the patterns that are known to be linear are so by the checker, and are those of the product", {
  tags: "slow",
  timeout: ALL_MS,
}, async () => {
  const linear = new Set<string>();
  for (const { source, flags, reason } of patterns) {
    if (source === undefined || reason !== undefined) continue;
    if (judgePattern(source, flags) === "linear") linear.add(digestOfPattern(source, flags));
    // One pattern may take seconds, and the test runner wants its turn.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await expect(`${[...linear].sort().join("\n")}\n`).toMatchFileSnapshot(LINEAR_PATTERNS);
});

test("an exemption is there only for a pattern that needs it", { timeout: ALL_MS }, () => {
  const exempt = patterns.filter(({ reason, source }) => reason !== undefined && source !== undefined);
  const needless = exempt.filter(({ source = "", flags }) => timeOfPattern(source, flags) === "linear");
  expect(needless.map(({ file, line }) => `${file}:${line}`)).toEqual([]);
});

describe("the checker", () => {
  test.each([
    [/\r+\n/g],
    [/\/+$/],
    [/(a+)+$/],
    [/\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/?#@]*@)?/gi],
    [/git\s+(?:\S+\s+)*?push\b/],
    [/^(?:\s*a\s*)+$/],
    [/(?=.)\s+$/],
    [/^a+a+$/],
  ])("recognizes the super-linear %s", (pattern) => {
    expect(timeOfPattern(pattern.source, pattern.flags)).toBe("super-linear");
  });

  test.each([[/(?<!\r)\r+\n/g], [/^[a-z]+$/], [/a{1,5}b/g], [/"(?:[^"\\]|\\.)*"/y], [/:\/\/\S*/]])(
    "passes %s",
    (pattern) => {
      expect(timeOfPattern(pattern.source, pattern.flags)).toBe("linear");
    },
  );

  test("finds literals, texts that are put together, and reasons", () => {
    const text = [
      'const part = "a+";',
      "/x*/g.test(y);",
      `new RegExp(\`^\${part}$\`, "u");`,
      'RegExp(["b", part].join("|"));',
      `new RegExp(String.raw\`\\s\${part}\`);`,
      "// Bounded pattern: at most ten characters, see readName.",
      "new RegExp(given);",
    ];
    expect(patternsIn("some.ts", text.join("\n")).map(({ source, flags, line }) => [source, flags, line])).toEqual([
      ["x*", "g", 2],
      ["^a+$", "u", 3],
      ["b|a+", "", 4],
      ["\\sa+", "", 5],
      [undefined, "", 7],
    ]);
    expect(patternsIn("some.ts", text.join("\n")).at(-1)?.reason).toBe("at most ten characters, see readName.");
  });
});
