import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  DocCutter,
  type DocText,
  outsideOfSequences,
  textOf,
} from "../../../../../main/shells/history-index/text-docs.ts";

function cut(output: string, pushed = 4096): { docs: DocText[]; rest: DocText | undefined } {
  const docs: DocText[] = [];
  const cutter = new DocCutter({ offset: 0, state: outsideOfSequences(0) }, (doc) => docs.push(doc));
  const bytes = Buffer.from(output);
  for (let from = 0; from < bytes.length; from += pushed) cutter.push(bytes.subarray(from, from + pushed));
  return { docs, rest: cutter.rest };
}

describe("documents of output", () => {
  test.each([
    ["plain", ""],
    ["after a sequence of its own each", "\u001b[m"],
  ])("end with the first line end after 4096 characters, with characters that are %s", (_, between) => {
    const line = `${Array.from("x".repeat(60)).join(between)}${between}\n`;
    const { docs, rest } = cut(line.repeat(150));
    expect(docs.map(({ text }) => text.length)).toEqual([68 * 61, 68 * 61]);
    expect(rest?.text).toBe(`${"x".repeat(60)}\n`.repeat(14));
  });

  test.each(["", "\u0007", "\u001b[m"])(
    "of a line without an end have 8192 characters, with %j between them",
    (between) => {
      const { docs, rest } = cut(Array.from("0123456789".repeat(2000)).join(between), 1000);
      expect(docs.map(({ text }) => text.length)).toEqual([8192, 8192]);
      expect(docs[1]?.text.slice(0, 512)).toBe(docs[0]?.text.slice(-512));
      expect(rest?.text).toMatch(/9$/);
    },
  );
});

test("the offset of each character is that of its bytes, in any order of the questions", () => {
  const pieces = fc.array(fc.constantFrom("a", "é", "世", "😀", "\n", "\u001b[1m", "\u001b]0;t\u0007"), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(pieces, fc.array(fc.nat({ max: 40 }), { maxLength: 10 }), (output, asked) => {
      const offsets: number[] = [];
      let at = 7;
      for (const piece of output) {
        if (!piece.startsWith("\u001b")) for (let unit = 0; unit < piece.length; unit++) offsets.push(at);
        at += Buffer.byteLength(piece);
      }
      const { text, offsetOf } = textOf(Buffer.from(output.join("")), 7);
      // A half of a character has no offset of its own.
      const isHalf = (index: number) => /[\udc00-\udfff]/.test(text[index] ?? "");
      for (const index of asked.filter((one) => !isHalf(one))) expect(offsetOf(index)).toBe(offsets[index] ?? at);
    }),
  );
});
