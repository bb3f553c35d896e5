import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CommandMark } from "../../../../main/shells/marks/command-tracker.ts";
import { TypedEcho, withoutEditedLines } from "../../../../main/shells/typed-echo.ts";

function mark(kind: "prompt-end" | "command-start", offset: number): CommandMark {
  const place = { offset, end: offset + 2, at: 0 };
  return kind === "prompt-end" ? { kind, exitCode: null, ...place } : { kind, ...place };
}

describe("text outside of edited lines", () => {
  test("lacks what stands between the end of a prompt and the next mark", () => {
    const marks = [mark("prompt-end", 2), mark("command-start", 8), mark("prompt-end", 14)];
    const runs = [
      { text: "$ ", offset: 0 },
      { text: "ls -l", offset: 4 },
      { text: "out\nét", offset: 10 },
      { text: "$ ", offset: 17 },
    ];
    expect(withoutEditedLines(runs, marks)).toEqual([
      { text: "$ ", offset: 0 },
      { text: "l", offset: 8 },
      { text: "out\né", offset: 10 },
    ]);
  });

  test("is cut out byte by byte as the marks say, however runs and marks lie", () => {
    const lengths = fc.array(fc.nat({ max: 9 }), { maxLength: 12 });
    fc.assert(
      fc.property(lengths, lengths, (gaps, sizes) => {
        let at = 0;
        const marks = gaps.map((gap, index) => {
          at += gap + 2;
          return mark(index % 2 === 0 ? "prompt-end" : "command-start", at);
        });
        let offset = 0;
        const runs = sizes.map((size) => {
          const run = { text: "a".repeat(size + 1), offset };
          offset += size + 2;
          return run;
        });
        const isEdited = (byte: number) =>
          marks.some(
            ({ kind, end }, index) =>
              kind === "prompt-end" && byte >= end && byte < (marks[index + 1]?.offset ?? Infinity),
          );
        const bytesOf = (list: typeof runs) =>
          list.flatMap(({ text, offset: from }) => Array.from(text, (_, index) => from + index));
        expect(bytesOf(withoutEditedLines(runs, marks))).toEqual(bytesOf(runs).filter((byte) => !isEdited(byte)));
      }),
    );
  });
});

describe("the end of text that may be the beginning of an echo", () => {
  const openingLength = (text: string, line: string) =>
    new TypedEcho(() => [{ text: line, offset: 0, at: performance.now() }], 0).openingLength(text);

  test.each([
    ["make test", "$ make", 4],
    ["make test", "$ make test", 0],
    ["aab", "aaaa", 2],
    ["abab", "xaba", 3],
    ["a", "a", 0],
    ["", "a", 0],
  ])("of %j in %j has %d characters", (line, text, length) => {
    expect(openingLength(text, line)).toBe(length);
  });

  test("is the longest one that the line goes on from", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "\ud83d", "\ude00"), maxLength: 12 });
    fc.assert(
      fc.property(text, text, (line, output) => {
        const openings = Array.from({ length: Math.max(0, line.length - 1) }, (_, index) => line.slice(0, index + 1));
        const longest = openings.findLast((opening) => output.endsWith(opening)) ?? "";
        expect(openingLength(output, line)).toBe(longest.length);
      }),
    );
  });
});
