import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { masterKey } from "../../../../../main/shells/history/segment.ts";
import { TextFilter } from "../../../../../main/shells/history-index/text-filter.ts";

const filter = new TextFilter(masterKey(Buffer.alloc(32, 7)));
const holds = (bits: Uint8Array, wanted: readonly number[]) =>
  wanted.every((bit) => ((bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0);
const count = (bits: Uint8Array) => bits.reduce((sum, byte) => sum + byte.toString(2).replaceAll("0", "").length, 0);

describe("the filter of a text", () => {
  test("has the bits of each text that it holds, of whatever characters", () => {
    const text = fc.string({ unit: "binary", minLength: 3, maxLength: 300 });
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (whole, first, length) => {
        const from = first % (whole.length - 2);
        const part = whole.slice(from, from + 3 + (length % 100));
        expect(holds(filter.filterOf(whole), filter.bitsOf([part]))).toBe(true);
      }),
    );
  });

  test("has those of the same text in another case, as a search in any case takes it", () => {
    const pairs = ["straße STRAßE", "KELVIN \u212aelvin", "ſchön SCHÖN", "ΣΑΣ σας", "ÄÖÜ äöü", "𐐀𐐁𐐂 𐐨𐐩𐐪"];
    for (const pair of pairs) {
      const [one = "", other = ""] = pair.split(" ");
      expect(new RegExp(`^${one}$`, "iu").test(other), pair).toBe(true);
      expect(holds(filter.filterOf(one), filter.bitsOf([other])), pair).toBe(true);
    }
  });

  test("of 4 KiB of text has few bits of texts that it does not hold", () => {
    const words = Array.from({ length: 700 }, (_, index) => `w${(index * 7919) % 9973}`).join(" ");
    const bits = filter.filterOf(words);
    expect(count(bits)).toBeLessThan(0.5 * 16_384);
    const others = Array.from({ length: 1000 }, (_, index) => `other${index}`);
    expect(others.filter((other) => holds(bits, filter.bitsOf([other])))).toEqual([]);
  });

  test("tells two words in one line from the same words in two", () => {
    const apart = filter.filterOf(
      "const value = 1;\nexport function work() {}\nconst other = 2;\nconst f = 3;\nlet t = 1;",
    );
    expect(holds(apart, filter.bitsOf(["const"]))).toBe(true);
    expect(holds(apart, filter.bitsOf(["function"]))).toBe(true);
    expect(holds(apart, filter.bitsOf(["const function"]))).toBe(false);
  });

  test("depends on the key", () => {
    const other = new TextFilter(masterKey(Buffer.alloc(32, 8)));
    const text = "the same text with each of the keys";
    expect(holds(filter.filterOf(text), other.bitsOf([text]))).toBe(false);
  });
});

test("two characters of a script with short words have a bit beside those of all such texts, in whatever holds them", () => {
  for (const text of ["設定", "第1", "の ", "한글", "ไฟ", "ｱｲ"]) {
    expect(filter.bitsOf([text]), text).toHaveLength(5);
    expect(holds(filter.filterOf(`error: ${text}!`), filter.bitsOf([text])), text).toBe(true);
  }
  expect(holds(filter.filterOf("設 定, and 定設"), filter.bitsOf(["設定"]))).toBe(false);
});

test("4 KiB of text in scripts of letters seldom has the bits of two characters", () => {
  const texts = Array.from({ length: 20 }, (_, text) =>
    Array.from({ length: 700 }, (_, index) => `w${((text * 700 + index) * 7919) % 99_991}`).join(" "),
  );
  const words = Array.from({ length: 100 }, (_, index) => String.fromCharCode(0x4e00 + index, 0x5e00 + index * 7));
  const filters = texts.map((text) => filter.filterOf(text));
  const held = filters.flatMap((bits) => words.filter((word) => holds(bits, filter.bitsOf([word]))));
  expect(held.length).toBeLessThan(0.2 * texts.length * words.length);
});

test("a text in scripts of letters has no bits of two characters, whatever signs it has", () => {
  const text = "─│┌▸✓•—“é”Жλ👍";
  // Three bits for each run of three, one for each of four and of seven; some are the same.
  expect(count(filter.filterOf(text))).toBeLessThanOrEqual(5 * text.length - 6 - 3 - 6);
  for (let at = 0; at + 2 <= text.length; at++) expect(filter.bitsOf([text.slice(at, at + 2)])).toEqual([]);
});

test("texts of fewer than three characters have no bits", () => {
  expect(filter.bitsOf(["ab", ""])).toEqual([]);
  expect(filter.bitsOf(["ab", "abc"])).toHaveLength(3);
});
