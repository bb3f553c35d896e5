import { hkdfSync } from "node:crypto";
import type { MasterKey } from "../history/segment.ts";

/** Bits of a filter. Of 4 KiB of a source, a build or a log about a third are set. */
export const FILTER_BITS = 1 << 14;
const MASK = FILTER_BITS - 1;
/** Characters of runs; a text that is shorter than the shortest is not in a filter. */
const SHORT = 3;
const MIDDLE = 4;
const LONG = 7;
/** Of a long text so many bits are compared, from all of its parts; more of them hardly narrow it down. */
const MOST_BITS = 24;

/**
 * Makes Bloom filters: the filter of a text has the bits of each text that it holds, in any case, and seldom those of
 * another one. Three bits stand for each run of three characters, and one for each run of four and of seven, which tells
 * `const function` from the two words in different lines. Which bits depends on a key, so a filter tells little to who has
 * only the file.
 */
export class TextFilter {
  readonly #seeds: Int32Array;
  /** Hashes of the runs that end at each character of the text at hand. */
  #short = new Int32Array(FILTER_BITS);
  #middle = new Int32Array(FILTER_BITS);
  #long = new Int32Array(FILTER_BITS);

  constructor({ bytes }: MasterKey) {
    const seeds = new Int32Array(hkdfSync("sha256", bytes, "", "patchbay history filter", 8 * 4));
    // Odd factors lose no bit.
    this.#seeds = seeds.map((seed) => seed | 1);
  }

  /** Returns the filter of a text of at most about 8,000 characters: with more, most bits are set. */
  filterOf(text: string): Uint8Array {
    this.#hash(text);
    const bits = new Uint8Array(FILTER_BITS / 8);
    const third = this.#seeds[7] ?? 1;
    for (let at = SHORT - 1; at < text.length; at++) {
      const hash = this.#short[at] ?? 0;
      setBit(bits, hash & MASK);
      setBit(bits, (hash >>> 14) & MASK);
      setBit(bits, Math.imul(hash, third) >>> 18);
      if (at >= MIDDLE - 1) setBit(bits, (this.#middle[at] ?? 0) & MASK);
      if (at >= LONG - 1) setBit(bits, (this.#long[at] ?? 0) & MASK);
    }
    return bits;
  }

  /** Returns the bits that the filter of a text has which holds all of these texts; none if each has less than three characters. */
  bitsOf(texts: readonly string[]): number[] {
    const bits = { short: new Set<number>(), middle: new Set<number>(), long: new Set<number>() };
    const third = this.#seeds[7] ?? 1;
    for (const text of texts) {
      this.#hash(text);
      for (let at = SHORT - 1; at < text.length; at++) {
        const hash = this.#short[at] ?? 0;
        for (const bit of [hash & MASK, (hash >>> 14) & MASK, Math.imul(hash, third) >>> 18]) bits.short.add(bit);
        if (at >= MIDDLE - 1) bits.middle.add((this.#middle[at] ?? 0) & MASK);
        if (at >= LONG - 1) bits.long.add((this.#long[at] ?? 0) & MASK);
      }
    }
    const chosen = new Set<number>();
    // Longer runs are rarer: fewer of them leave nothing to look for.
    for (const of of [bits.long, bits.middle, bits.short]) {
      for (const bit of spread([...of], MOST_BITS - chosen.size)) chosen.add(bit);
    }
    return [...chosen];
  }

  #hash(text: string): void {
    if (text.length > this.#short.length) {
      this.#short = new Int32Array(text.length);
      this.#middle = new Int32Array(text.length);
      this.#long = new Int32Array(text.length);
    }
    const [short, middle, long] = [this.#short, this.#middle, this.#long];
    const [a = 1, b = 1, c = 1, d = 1, mix = 1, first = 1, second = 1] = this.#seeds;
    let [third, before, last] = [0, 0, 0];
    for (let at = 0; at < text.length; at++) {
      const character = FOLDED[text.charCodeAt(at)] ?? 0;
      const hash = mixed(Math.imul(before, a) ^ Math.imul(last, b) ^ Math.imul(character, c), mix);
      short[at] = hash;
      const longer = mixed(hash ^ Math.imul(third, d), mix);
      middle[at] = longer;
      if (at >= LONG - 1) long[at] = mixed(Math.imul(middle[at - SHORT] ?? 0, first) ^ Math.imul(longer, second), mix);
      third = before;
      before = last;
      last = character;
    }
  }
}

/** Returns at most so many of a list, from all of its parts. */
function spread(all: readonly number[], most: number): number[] {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, index) => all[Math.floor(index * step)] ?? 0);
}

function setBit(bits: Uint8Array, bit: number): void {
  bits[bit >>> 3] = (bits[bit >>> 3] ?? 0) | (1 << (bit & 7));
}

/** Lets each bit of a hash depend on all that is above it. */
function mixed(hash: number, factor: number): number {
  const folded = Math.imul(hash ^ (hash >>> 15), factor);
  return folded ^ (folded >>> 13);
}

/**
 * Each character as one that is the same for all that a search in any case takes for it, such as `k`, `K` and the sign of
 * Kelvin. Those beyond 16 bits differ by their first half only.
 */
const FOLDED = Uint16Array.from({ length: 0x10000 }, (_, code) => {
  if (code >= 0xdc00 && code < 0xe000) return 0xdc00;
  const upper = String.fromCharCode(code).toUpperCase();
  const lower = (upper.length === 1 ? upper : String.fromCharCode(code)).toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : code;
});
